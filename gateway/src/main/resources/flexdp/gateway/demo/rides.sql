CREATE TABLE cities (
  id INTEGER PRIMARY KEY,
  name VARCHAR NOT NULL,
  country VARCHAR NOT NULL);
CREATE TABLE users (
  id BIGINT PRIMARY KEY,
  role VARCHAR NOT NULL CHECK (role IN ('rider', 'driver')),
  city_id INTEGER,
  active BOOLEAN NOT NULL,
  signed_up_on DATE NOT NULL,
  referrer_id BIGINT);
CREATE TABLE drivers (
  id BIGINT PRIMARY KEY,
  user_id BIGINT NOT NULL UNIQUE,
  city_id INTEGER NOT NULL,
  vehicle VARCHAR NOT NULL,
  status VARCHAR NOT NULL,
  registered_on DATE NOT NULL,
  rating DECIMAL(3,2) CHECK (rating BETWEEN 1 AND 5));
CREATE TABLE user_tags (
  user_id BIGINT NOT NULL,
  tag VARCHAR NOT NULL,
  tagged_at TIMESTAMP NOT NULL,
  tagged_by INTEGER,
  UNIQUE (user_id, tag));
CREATE TABLE analytics (
  driver_id BIGINT PRIMARY KEY,
  completed_trips INTEGER NOT NULL,
  last_trip_on DATE,
  hours_online DECIMAL(7,1) NOT NULL,
  acceptance_rate DOUBLE);
CREATE TABLE trips (
  id BIGINT PRIMARY KEY,
  driver_id BIGINT NOT NULL,
  rider_id BIGINT NOT NULL,
  city_id INTEGER NOT NULL,
  status VARCHAR NOT NULL,
  requested_at TIMESTAMP NOT NULL,
  completed_at TIMESTAMP,
  fare DECIMAL(9,2) CHECK (fare >= 0 AND fare <= 500),
  distance_km DOUBLE,
  payment VARCHAR,
  rating SMALLINT CHECK (rating BETWEEN 1 AND 5),
  UNIQUE (driver_id, requested_at));
