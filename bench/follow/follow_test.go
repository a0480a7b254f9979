package follow

import (
	"context"
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"rollcall/client"
	"rollcall/internal/cmdtest"
)

func TestMain(m *testing.M) { cmdtest.Main(m) }

// every is the time between two questions of a follower.
const every = 2 * time.Second

// TestAClientFollowsTheDemo follows the demo's bookings for ROLLCALL_FOLLOW, such as 10m. At the end both copies are the whole
// list, which is read before, while and after they end: what is the same each time has to stand so in the copies.
func TestAClientFollowsTheDemo(t *testing.T) {
	t.Parallel()
	long, err := time.ParseDuration(os.Getenv("ROLLCALL_FOLLOW"))
	if err != nil {
		t.Skip("it takes minutes: set ROLLCALL_FOLLOW=10m, as .ci/long does")
	}
	c := demo(t)
	ctx, end := context.WithCancel(t.Context())
	defer end()
	mirrors, polls := make(chan copied, 1), make(chan copied, 1)
	go func() { mirrors <- mirrored(ctx, t, c) }()
	go func() { polls <- polled(ctx, t, c) }()

	<-time.After(long)
	before := whole(t, c)
	<-time.After(15 * every) // both have asked again, more than once
	after := whole(t, c)
	end()
	poll, mirror := <-polls, <-mirrors
	last := whole(t, c)

	steady := 0
	for id, b := range before {
		if after[id] != b || last[id] != b {
			continue // it changed while the copies ended
		}
		steady++
		require.Equal(t, b.poll, poll[id], "the copy by updated_since")
		require.Equal(t, b.mirror, mirror[id], "the copy by changes")
	}
	require.Greater(t, steady, len(before)*9/10)
	for id := range mirror {
		require.True(t, before[id] != none || after[id] != none || last[id] != none, "%s went, and the copy by changes keeps it", id)
	}
	t.Logf("%d of %d bookings stood still while the copies were compared; both copies have them so", steady, len(before))
}

// copied is a copy: the text of each booking by its id.
type copied map[string]string

// texts of a booking in the two copies.
type texts struct{ poll, mirror string }

var none texts

var said = regexp.MustCompile(`Dashboard +(http://[^/\s]+)`)

// demo starts a demo whose jails are busy, and returns a client of its first account, without a limit.
func demo(t *testing.T) *client.Client {
	t.Helper()
	env := cmdtest.Environment(t)
	p := cmdtest.Start(t, cmdtest.Built(t), env, "demo", "--port", "0", "--pace", "300ms")
	t.Cleanup(func() { p.Stop(t) })
	root := said.FindStringSubmatch(p.Stdout.Await(t, "Ctrl-C stops", p.Ended))
	command := func(to any, args ...string) {
		t.Helper()
		out, errOut := cmdtest.NewOutput(), cmdtest.NewOutput()
		require.Equal(t, 0, cmdtest.Built(t)(t.Context(), args, out, errOut, env), "%v\n%s", args, errOut)
		if to != nil {
			require.NoError(t, json.Unmarshal([]byte(out.String()), to), out)
		}
	}
	var account struct{ ID string }
	command(&account, "account", "create", "--name", "follower", "--email", "follower@example.org", "--plan", "enterprise", "--json")
	command(nil, "account", "set", account.ID, "--rate-limit", "0")
	var key struct{ Key string }
	command(&key, "key", "create", "--account", account.ID, "--label", "follow", "--json")
	return client.New(root[1]+"/v1", key.Key)
}

// text is what a copy keeps of a booking.
func text(t *testing.T, b *client.Booking) string {
	t.Helper()
	out, err := json.Marshal(b)
	if err != nil {
		t.Error(err)
	}
	return string(out)
}

// whole reads all bookings.
func whole(t *testing.T, c *client.Client) map[string]texts {
	t.Helper()
	list := map[string]texts{}
	for b, err := range c.AllRoster(t.Context(), client.RosterFilter{}) {
		require.NoError(t, err)
		list[b.ID] = texts{text(t, &b), b.Name + " " + strings.ToUpper(b.Status)}
	}
	return list
}

// polled follows by updated_since until ctx ends. A record that comes after the first pass is another than the copy holds.
func polled(ctx context.Context, t *testing.T, c *client.Client) copied {
	t.Helper()
	held, passes, came, same := copied{}, 0, 0, 0
	var at time.Time
	for b, err := range c.FollowRoster(ctx, client.RosterFilter{}, time.Time{}, every) {
		if ctx.Err() != nil {
			break
		}
		if err != nil {
			t.Error(err)
			break
		}
		for i := range b.Items {
			now := text(t, &b.Items[i])
			if passes > 0 {
				came++
			}
			if held[b.Items[i].ID] == now {
				same++
			}
			held[b.Items[i].ID] = now
		}
		if !b.Next.Equal(at) { // the pass is whole
			passes, at = passes+1, b.Next
		}
	}
	t.Logf("by updated_since: X-Data-As-Of moved %d times, %d changes of %d bookings came", passes, came, len(held))
	assert.Greater(t, passes, 2, "X-Data-As-Of moves")
	assert.Positive(t, came)
	assert.Zero(t, same, "records that came and had not changed")
	return held
}

// mirrored follows by changes until ctx ends.
func mirrored(ctx context.Context, t *testing.T, c *client.Client) copied {
	t.Helper()
	held, came, gone, begun := copied{}, 0, 0, false
	for b, err := range c.Sync(ctx, client.SyncOptions{
		Families: []string{client.FamilyRoster}, First: 1000, Every: every, Record: "... on RosterRecord { name status }",
	}, "") {
		if ctx.Err() != nil {
			break
		}
		if err != nil {
			t.Error(err)
			break
		}
		for _, change := range b.Changes {
			if begun {
				came++
			}
			if change.Gone() {
				gone++
				delete(held, change.ID)
				continue
			}
			var r struct{ Name, Status string }
			if err := json.Unmarshal(change.Record, &r); err != nil {
				t.Error(err)
			}
			held[change.ID] = r.Name + " " + r.Status
		}
		begun = begun || !b.More
	}
	t.Logf("by changes: %d changes came, %d of them gone, of %d bookings", came, gone, len(held))
	assert.Positive(t, came)
	return held
}
