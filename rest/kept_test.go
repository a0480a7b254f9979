package rest_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/internal/testdb"
)

// exec changes the database behind the back of rollcall.
func (b *bundle) exec(t *testing.T, statement string) {
	t.Helper()
	_, err := b.db.Pool.Exec(t.Context(), statement)
	require.NoError(t, err)
}

func TestAnAnswerIsGivenAgainUntilTheRecordsThatItShowsChange(t *testing.T) {
	t.Parallel()
	b := setup(t, testdb.Booking{ID: "fulton-2026-000001", Name: "Quentin Abernethy"})
	b.views.known = true
	paths := []string{"/roster?name=quentin", "/roster/fulton-2026-000001"}
	first := map[string]reply{}
	for _, p := range paths {
		first[p] = b.get(t, p)
		require.Contains(t, first[p].body, "Quentin Abernethy")
	}
	b.exec(t, `update bookings set name = 'Quentin Abernathy'`)
	b.views.at.Courts++
	for _, p := range paths {
		again := b.get(t, p)
		require.Equal(t, first[p].body, again.body, "nothing tells that it changed")
		require.Equal(t, first[p].head.Get("ETag"), again.head.Get("ETag"))
		unchanged := b.get(t, p, "If-None-Match", again.head.Get("ETag"))
		require.Equal(t, 304, unchanged.status)
		require.Empty(t, b.do(t, "HEAD", p).body)
		require.Equal(t, first[p].head.Get("Content-Length"), b.do(t, "HEAD", p).head.Get("Content-Length"))
	}
	require.Contains(t, b.get(t, "/roster?name=quentin&limit=7").body, "Abernathy", "another question has another answer")
	require.Contains(t, b.get(t, paths[0], "Accept-Encoding", "gzip").body, "Abernathy", "each coding is kept for itself")

	b.views.at.Roster++
	for _, p := range paths {
		require.Contains(t, b.get(t, p).body, "Quentin Abernathy")
	}
}

func TestWhileChangesAreNotHeardOfNoAnswerIsKept(t *testing.T) {
	t.Parallel()
	b := setup(t, testdb.Booking{ID: "fulton-2026-000001", Name: "Quentin Abernethy"})
	b.views.known = true
	require.Contains(t, b.get(t, "/roster").body, "Abernethy")
	b.views.known = false
	b.exec(t, `update bookings set name = 'Quentin Abernathy'`)
	require.Contains(t, b.get(t, "/roster").body, "Abernathy")
}

func TestTheNextHearingEndsAKeptAnswer(t *testing.T) {
	t.Parallel()
	b := setup(t, testdb.Case{Number: "26-CR-1", Defendant: "Quentin Abernethy", Hearings: []testdb.Hearing{{Date: "2026-03-10", Time: "11:30"}}})
	b.views.known = true
	require.Contains(t, b.get(t, "/courts/26-CR-1").body, `"next_hearing":"2026-03-10T11:30:00-04:00"`)
	b.now.at = b.now.at.Add(31 * time.Minute)
	b.views.at.Minute += 31
	require.Contains(t, b.get(t, "/courts/26-CR-1").body, `"next_hearing":null`)
}
