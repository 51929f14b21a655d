package flexdp.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.server.wire.Room;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RoomTest {
  private static final long SIZE = 400L << 20;

  @Test
  void whoeverWantsLittleFindsRoomHoweverManyAreGreedy() {
    Room room = new Room(SIZE);
    List<Room.Part> greedy = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      greedy.add(room.part());
    }
    boolean more = true;
    while (more) {
      more = false;
      for (Room.Part part : greedy) {
        more |= part.hold(part.held() + (64 << 10));
      }
    }
    assertTrue(room.taken() > SIZE * 9 / 10, "the room is not used: " + room.taken());
    for (int i = 0; i < 20; i++) {
      assertTrue(room.part().hold(32 << 10), "refused: neighbour " + i);
    }
  }

  @Test
  void lessThanBeforeIsAlwaysGranted() {
    Room room = new Room(100);
    Room.Part first = room.part();
    assertTrue(first.hold(50));
    assertFalse(first.hold(51));
    Room.Part second = room.part();
    assertTrue(second.hold(25));
    assertTrue(first.hold(49));
    assertEquals(74, room.taken());
    first.close();
    second.close();
    assertEquals(0, room.taken());
  }
}
