package flexdp.gateway.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Who there is: user accounts, of which the first are drivers' own, each at home in one city. Keys
 * are spread by a fixed odd multiplier, so that they do not tell how busy somebody is.
 */
final class Population {
  private static final long SPREAD = 7919;

  private final int drivers;
  private final int users;
  private final List<List<Integer>> driversByCity = new ArrayList<>();
  private final List<List<Integer>> ridersByCity = new ArrayList<>();
  private final int[] cityOf;

  Population(int trips, SplittableRandom random) {
    drivers = drivers(trips);
    users = users(trips);
    cityOf = new int[users];
    for (int i = 0; i < City.ALL.size(); i++) {
      driversByCity.add(new ArrayList<>());
      ridersByCity.add(new ArrayList<>());
    }
    Zipf cities = new Zipf(City.ALL.size(), 1, 0.9);
    for (int driver = 0; driver < drivers; driver++) {
      // Every city has a driver, so that no city is dead.
      int everyone = City.ALL.size();
      int city = driver < everyone ? driver : cities.rank(random, everyone);
      cityOf[driver] = city;
      driversByCity.get(city).add(driver);
    }
    for (int user = drivers; user < users; user++) {
      int everyone = City.ALL.size();
      int city = user - drivers < everyone ? user - drivers : cities.rank(random, everyone);
      cityOf[user] = city;
      ridersByCity.get(city).add(user);
    }
  }

  static int drivers(int trips) {
    return Math.max(City.ALL.size(), trips / 50);
  }

  static int users(int trips) {
    return Math.max(4 * drivers(trips), trips / 8);
  }

  int drivers() {
    return drivers;
  }

  int users() {
    return users;
  }

  /** Drivers have the same number as users as they have as drivers. */
  int cityOf(int user) {
    return cityOf[user];
  }

  List<Integer> driversOf(int city) {
    return driversByCity.get(city);
  }

  List<Integer> ridersOf(int city) {
    return ridersByCity.get(city);
  }

  /** Different for different numbers below a million million. */
  static long key(int number) {
    return 100_000 + number * SPREAD % 1_000_000_000_039L;
  }
}
