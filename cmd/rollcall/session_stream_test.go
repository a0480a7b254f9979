package main

import (
	"bufio"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// following is a stream that began with a session.
type following struct {
	reader *reader
	ended  chan struct{} // closed when the service ended it
}

// follows begins a stream; how it is asked for is as free as RFC 9110 leaves it.
func (r *reader) follows(headers ...string) *following {
	r.t.Helper()
	resp := r.ask(`subscription { alertEvents { id } }`, headers...)
	require.Equal(r.t, http.StatusOK, resp.StatusCode)
	require.Equal(r.t, "text/event-stream", resp.Header.Get("Content-Type"))
	text := bufio.NewReader(resp.Body)
	begun, err := text.ReadString('\n')
	require.NoError(r.t, err)
	require.Contains(r.t, begun, "id: ")
	f := &following{reader: r, ended: make(chan struct{})}
	go func() {
		_, _ = io.Copy(io.Discard, text)
		close(f.ended)
	}()
	return f
}

// await returns when the stream has ended.
func (f *following) await(why string) {
	f.reader.t.Helper()
	select {
	case <-f.ended:
	case <-time.After(time.Minute): // it takes five seconds
		require.Fail(f.reader.t, "the stream goes on", why)
	}
}

func TestAStreamEndsWithTheSessionThatBeganIt(t *testing.T) {
	t.Parallel()
	x := newTerminal(t)
	root, door := x.Serve("Desk")
	account := x.FirstAccount()
	ada := joined(t, root, door)
	const stream = "text/event-stream"
	someone := func(email string) *reader { return joined(t, root, x.Invited(account, email, "--role", "member")) }

	out, everywhere, expired, removed, reset := someone("out@example.org"), someone("all@example.org"), someone("late@example.org"), someone("gone@example.org"), someone("new@example.org")
	second := signed(t, root, "all@example.org")
	stays := ada.follows("Accept", stream)
	ends := map[string]*following{
		"signed out":                    out.follows("Accept", stream),
		"signed out everywhere, here":   everywhere.follows("Accept", stream),
		"signed out everywhere, there":  second.follows("Accept", stream),
		"expired":                       expired.follows("Accept", stream),
		"removed from the account":      removed.follows("Accept", stream),
		"a new password":                reset.follows("Accept", stream),
		"signed out, in capitals":       out.follows("Accept", "Text/Event-Stream"),
		"signed out, in another header": out.follows("Accept", "image/png", "Accept", stream),
		"signed out, beside others":     out.follows("Accept", "application/json;q=0.1, "+strings.ToUpper(stream)+";q=1"),
	}
	require.Equal(t, http.StatusSeeOther, out.submit("/sign-out").StatusCode)
	require.Equal(t, http.StatusSeeOther, everywhere.submit("/settings/you/everywhere").StatusCode)
	const newer = "window kettle green horse"
	require.Equal(t, http.StatusSeeOther, signed(t, root, "new@example.org").submit("/settings/you/password", "current", readerPassword, "password", newer, "again", newer).StatusCode)
	db, err := pgx.Connect(t.Context(), x.URL)
	require.NoError(t, err)
	tag, err := db.Exec(t.Context(), `update sessions set expires_at = now() where user_id = (select id from users where email = 'late@example.org')`)
	require.NoError(t, err)
	require.EqualValues(t, 1, tag.RowsAffected())
	var gone string
	require.NoError(t, db.QueryRow(t.Context(), `select id from users where email = 'gone@example.org'`).Scan(&gone))
	require.NoError(t, db.Close(t.Context()))
	require.Equal(t, http.StatusSeeOther, ada.submit("/settings/members/"+gone+"/remove").StatusCode)
	for why, f := range ends {
		f.await(why)
	}
	select {
	case <-stays.ended:
		require.Fail(t, "a stream ended whose session goes on")
	default:
	}

	t.Log("and with the plan that has streams")
	x.OK("account", "set", account, "--plan", "pro")
	stays.await("the plan ended")
}
