package flexdp.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.server.wire.MemoryPool;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MemoryPoolTest {
  private static final long SIZE = 400L << 20;

  @Test
  void whoeverWantsLittleFindsRoomHoweverManyAreGreedy() {
    MemoryPool memory = new MemoryPool(SIZE);
    List<MemoryPool.Part> greedy = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      greedy.add(memory.part());
    }
    boolean more = true;
    while (more) {
      more = false;
      for (MemoryPool.Part part : greedy) {
        more |= part.hold(part.held() + (64 << 10));
      }
    }
    assertTrue(memory.taken() > SIZE * 9 / 10, "the room is not used: " + memory.taken());
    for (int i = 0; i < 20; i++) {
      assertTrue(memory.part().hold(32 << 10), "refused: neighbour " + i);
    }
  }

  @Test
  void lessThanBeforeIsAlwaysGranted() {
    MemoryPool memory = new MemoryPool(100);
    MemoryPool.Part first = memory.part();
    assertTrue(first.hold(50));
    assertFalse(first.hold(51));
    MemoryPool.Part second = memory.part();
    assertTrue(second.hold(25));
    assertTrue(first.hold(49));
    assertEquals(74, memory.taken());
    first.close();
    second.close();
    assertEquals(0, memory.taken());
  }
}
