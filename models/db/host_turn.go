package db

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// HostTurn reserves the next request to a host and returns how long the caller must wait before it;
// the turn after it comes gap later. Turns are given in the order of the calls, across all
// replicas, so that several sources of one host together stay as polite as one. A caller that does
// not use its turn only wastes it.
func (d *DB) HostTurn(ctx context.Context, host string, gap time.Duration) (wait time.Duration, err error) {
	var seconds float64
	err = d.plain.pool.QueryRow(ctx, statements.Get("host_turn"), pgx.NamedArgs{"host": host, "gap": gap.Seconds()}).Scan(&seconds)
	if err != nil {
		return 0, fmt.Errorf("take a turn at %s: %w", host, err)
	}
	return max(0, time.Duration(seconds*float64(time.Second))), nil
}
