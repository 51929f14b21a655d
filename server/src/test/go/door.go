// lib/pq at the door: how many labels, and the code of a refusal.
package main

import (
	"database/sql"
	"fmt"
	"os"

	"github.com/lib/pq"
)

func main() {
	door, err := sql.Open("postgres", fmt.Sprintf(
		"host=127.0.0.1 port=%s user=ann password='%s' dbname=rides sslmode=require", os.Args[1], os.Getenv("PGPASSWORD")))
	if err != nil {
		panic(err)
	}
	rows, err := door.Query("SELECT status, count(*) FROM trips WHERE fare > $1 GROUP BY status", 3.5)
	if err != nil {
		panic(err)
	}
	labels := 0
	for rows.Next() {
		var status string
		var count int64
		if err := rows.Scan(&status, &count); err != nil {
			panic(err)
		}
		labels++
	}
	_, err = door.Query("SELECT nosuch FROM trips")
	fmt.Println(labels, err.(*pq.Error).Code)
}
