package db

import (
	"context"
	"fmt"
	"time"
)

// HostTurn reserves the next request to a host and returns how long the caller must wait before it;
// the turn after it comes gap later. Turns are given in the order of the calls, across all
// replicas, so that several sources of one host together stay as polite as one. A caller that does
// not use its turn only wastes it.
func (d *DB) HostTurn(ctx context.Context, host string, gap time.Duration) (wait time.Duration, err error) {
	var seconds float64
	// A time far ahead is of a clock that was set back: it does not block a host for ever.
	err = d.pool.QueryRow(ctx, `insert into host_turns as h (host, next_at) values ($1, clock_timestamp() + make_interval(secs => $2))
 on conflict (host) do update set next_at =
  case when h.next_at > clock_timestamp() + interval '1 hour' then clock_timestamp() else greatest(h.next_at, clock_timestamp()) end
  + make_interval(secs => $2)
 returning extract(epoch from next_at - clock_timestamp()) - $2`, host, gap.Seconds()).Scan(&seconds)
	if err != nil {
		return 0, fmt.Errorf("take a turn at %s: %w", host, err)
	}
	return max(0, time.Duration(seconds*float64(time.Second))), nil
}
