// tokio-postgres at the door: how many labels, and the code of a refusal.
use std::env;
use tokio_postgres::{Config, NoTls};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), tokio_postgres::Error> {
    let port: u16 = env::args().nth(1).unwrap().parse().unwrap();
    let (client, connection) = Config::new()
        .host("127.0.0.1")
        .port(port)
        .user("ann")
        .password(env::var("PGPASSWORD").unwrap())
        .dbname("rides")
        .connect(NoTls)
        .await?;
    tokio::spawn(connection);
    let rows = client
        .query("SELECT status, count(*) FROM trips WHERE distance_km > $1 GROUP BY status", &[&3.5f64])
        .await?;
    let counts: Vec<i64> = rows.iter().map(|r| r.get(1)).collect();
    let refused = client.query("SELECT nosuch FROM trips", &[]).await.unwrap_err();
    println!("{} {}", counts.len(), refused.code().unwrap().code());
    Ok(())
}
