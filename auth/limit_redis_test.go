package auth_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"rollcall/auth"
)

// redisServer starts a Redis of its own for a test, on a Unix socket.
func redisServer(t *testing.T) *redis.Client {
	t.Helper()
	bin, err := exec.LookPath("redis-server")
	if err != nil {
		require.NotEqual(t, "true", os.Getenv("CI"), "redis-server is not installed, and CI=true asks for every test")
		t.Skip("NOT TESTED: the limiter in Redis, because redis-server is not installed (apt-get install redis-server)")
	}
	dir, err := os.MkdirTemp("", "rollcall-redis-") //nolint:usetesting // a socket's path must stay short
	require.NoError(t, err)
	socket := filepath.Join(dir, "s")
	cmd := exec.CommandContext(t.Context(), bin, "--port", "0", "--unixsocket", socket, "--dir", dir, "--save", "", "--appendonly", "no")
	require.NoError(t, cmd.Start())
	client := redis.NewClient(&redis.Options{Network: "unix", Addr: socket})
	t.Cleanup(func() {
		_ = client.Close()
		_ = cmd.Wait() // killed: the context of the test has ended
		require.NoError(t, os.RemoveAll(dir))
	})
	require.Eventually(t, func() bool { return client.Ping(t.Context()).Err() == nil }, time.Minute, 20*time.Millisecond)
	return client
}

func TestReplicasShareOneLimitOnTheClockOfRedis(t *testing.T) {
	t.Parallel()
	client := redisServer(t)
	one, other := auth.NewRedisLimiter(client, nil), auth.NewRedisLimiter(client, nil)
	for i := range 100 {
		l := one
		if i%2 == 1 {
			l = other
		}
		require.True(t, take(t, l, "acct", 100, 1).OK)
	}
	for _, l := range []auth.Limiter{one, other} {
		a := take(t, l, "acct", 100, 1)
		require.False(t, a.OK)
		require.Positive(t, a.Wait)
		require.LessOrEqual(t, a.Wait, auth.Window)
	}
	left, err := client.PTTL(t.Context(), "rollcall:limit:acct").Result()
	require.NoError(t, err)
	require.Positive(t, left, "the log goes away by itself")
	require.LessOrEqual(t, left, auth.Window)
}

func TestAClockThatWasSetBackKeepsTheLimit(t *testing.T) {
	t.Parallel()
	c := &clock{}
	l := auth.NewRedisLimiter(redisServer(t), c.now)
	require.True(t, take(t, l, "acct", 2, 1).OK)
	c.advance(-time.Hour)
	require.True(t, take(t, l, "acct", 2, 1).OK)
	require.Equal(t, auth.Allowance{Limit: 2, Wait: auth.Window, Reset: auth.Window}, take(t, l, "acct", 2, 1))
}

func TestWithoutRedisNothingIsGuessed(t *testing.T) {
	t.Parallel()
	client := redis.NewClient(&redis.Options{Network: "unix", Addr: filepath.Join(t.TempDir(), "nobody"), MaxRetries: -1, DialerRetries: 1})
	t.Cleanup(func() { _ = client.Close() })
	_, err := auth.NewRedisLimiter(client, nil).Take(t.Context(), auth.Bucket{ID: "acct", Limit: 100}, 1)
	require.ErrorContains(t, err, "count call in Redis")
}
