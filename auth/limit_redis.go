package auth

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"
)

// RedisLimiter counts the calls of all replicas that share a Redis (6.2 or later). It is the log of LocalLimiter as a
// list of moments in microseconds, which one script reads and writes in one step. When Redis does not answer, Take
// fails: an exact limit cannot be kept by guessing. It is safe for concurrent use.
type RedisLimiter struct {
	client redis.Scripter
	// Nil: the clock of Redis counts, which replicas share.
	now func() time.Time
}

// NewRedisLimiter returns a limiter on client; time-outs are the client's. With now nil the clock is that of Redis,
// so that replicas need not agree about the time.
func NewRedisLimiter(client redis.Scripter, now func() time.Time) *RedisLimiter {
	return &RedisLimiter{client: client, now: now}
}

// takeScript takes KEYS[1], the log, and ARGV: limit, window in microseconds, calls asked for, and now in
// microseconds, or "" for the clock of Redis. It returns whether the calls are granted, how many count after it, and
// the microseconds until there is room for more and until all of the limit is free.
var takeScript = redis.NewScript(`
local log, limit, window, n, now = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
if not now then
  local t = redis.call('TIME')
  now = t[1] * 1000000 + t[2]
end
-- A clock that was set back must not break the order of the log.
now = math.max(now, tonumber(redis.call('LINDEX', log, -1) or '0'))
local oldest = redis.call('LINDEX', log, 0)
while oldest and tonumber(oldest) <= now - window do
  redis.call('LPOP', log)
  oldest = redis.call('LINDEX', log, 0)
end
local count = redis.call('LLEN', log)
local granted = count + n <= limit
if granted and n > 0 then
  for _ = 1, n do
    redis.call('RPUSH', log, string.format('%.0f', now))
  end
  redis.call('PEXPIRE', log, window / 1000)
  count = count + n
end
local wait, reset = 0, 0
if count > 0 then
  wait = redis.call('LINDEX', log, math.max(0, count - limit)) + window - now
  reset = redis.call('LINDEX', log, -1) + window - now
end
return {granted and 1 or 0, count, wait, reset}
`)

// Take implements Limiter. It costs one round trip, and none for a bucket without a limit.
func (l *RedisLimiter) Take(ctx context.Context, bucket Bucket, n int) (Allowance, error) {
	if bucket.Limit <= 0 {
		return unlimited, nil
	}
	var now string
	if l.now != nil {
		now = strconv.FormatInt(l.now().UnixMicro(), 10)
	}
	key := "rollcall:limit:" + bucket.ID
	got, err := takeScript.Run(ctx, l.client, []string{key}, bucket.Limit, Window.Microseconds(), n, now).Int64Slice()
	if err != nil {
		return Allowance{}, fmt.Errorf("count call in Redis: %w", err)
	}
	if len(got) != 4 {
		return Allowance{}, fmt.Errorf("count call in Redis: %d values instead of 4", len(got))
	}
	return Allowance{
		OK:        got[0] == 1,
		Limit:     bucket.Limit,
		Remaining: max(0, bucket.Limit-int(got[1])),
		Wait:      time.Duration(got[2]) * time.Microsecond,
		Reset:     time.Duration(got[3]) * time.Microsecond,
	}, nil
}
