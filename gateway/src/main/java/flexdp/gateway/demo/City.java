package flexdp.gateway.demo;

import java.util.List;

/** A public row; the busiest cities come first. */
record City(String name, String country) {
  static final List<City> ALL =
      List.of(
          new City("San Francisco", "US"),
          new City("New York", "US"),
          new City("London", "GB"),
          new City("Sao Paulo", "BR"),
          new City("Hong Kong", "HK"),
          new City("Los Angeles", "US"),
          new City("Hanoi", "VN"),
          new City("Mexico City", "MX"),
          new City("Sydney", "AU"),
          new City("Paris", "FR"),
          new City("Chicago", "US"),
          new City("Delhi", "IN"),
          new City("Mumbai", "IN"),
          new City("Boston", "US"),
          new City("Toronto", "CA"),
          new City("Washington", "US"),
          new City("Johannesburg", "ZA"),
          new City("Singapore", "SG"),
          new City("Jakarta", "ID"),
          new City("Melbourne", "AU"),
          new City("Seattle", "US"),
          new City("Miami", "US"),
          new City("Bogota", "CO"),
          new City("Lima", "PE"),
          new City("Santiago", "CL"),
          new City("Manila", "PH"),
          new City("Bangkok", "TH"),
          new City("Cairo", "EG"),
          new City("Lagos", "NG"),
          new City("Nairobi", "KE"),
          new City("Madrid", "ES"),
          new City("Lisbon", "PT"),
          new City("Rome", "IT"),
          new City("Berlin", "DE"),
          new City("Warsaw", "PL"),
          new City("Prague", "CZ"),
          new City("Vienna", "AT"),
          new City("Zurich", "CH"),
          new City("Amsterdam", "NL"),
          new City("Brussels", "BE"),
          new City("Copenhagen", "DK"),
          new City("Stockholm", "SE"),
          new City("Helsinki", "FI"),
          new City("Oslo", "NO"),
          new City("Dublin", "IE"),
          new City("Istanbul", "TR"),
          new City("Dubai", "AE"),
          new City("Taipei", "TW"),
          new City("Tokyo", "JP"),
          new City("Auckland", "NZ"));

  /** Its key: the place in the list, from one. */
  static int id(int rank) {
    return rank + 1;
  }
}
