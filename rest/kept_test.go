package rest_test

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/internal/testdb"
	"rollcall/models"
)

// following serves records, whose changes are followed so that answers are kept.
func following(t *testing.T, records ...any) *bundle {
	t.Helper()
	b := setup(t, records...)
	_, leave := b.store.Changes(t.Context(), models.Roster, slog.New(slog.DiscardHandler))
	t.Cleanup(leave)
	b.awaitView(t)
	return b
}

func (b *bundle) awaitView(t *testing.T) {
	t.Helper()
	require.Eventually(t, func() bool { _, ok := b.store.View(); return ok }, 10*time.Second, time.Millisecond)
}

// exec changes the database behind the back of rollcall, which raises no generation.
func (b *bundle) exec(t *testing.T, statement string) {
	t.Helper()
	_, err := b.db.Pool.Exec(t.Context(), statement)
	require.NoError(t, err)
}

func TestAnAnswerIsGivenAgainUntilTheRecordsThatItShowsChange(t *testing.T) {
	t.Parallel()
	b := following(t, testdb.Booking{ID: "fulton-2026-000001", Name: "Quentin Abernethy"})
	paths := []string{"/roster?name=quentin", "/roster/fulton-2026-000001"}
	first := map[string]reply{}
	for _, p := range paths {
		first[p] = b.get(t, p)
		require.Contains(t, first[p].body, "Quentin Abernethy")
	}
	b.exec(t, `update bookings set name = 'Quentin Abernathy'`)
	for _, p := range paths {
		again := b.get(t, p)
		require.Equal(t, first[p].body, again.body, "nothing tells that it changed")
		require.Equal(t, first[p].head.Get("ETag"), again.head.Get("ETag"))
	}
	require.Contains(t, b.get(t, "/roster?name=quentin&limit=7").body, "Abernathy", "another question has another answer")

	b.exec(t, `update generations set gen = gen + 1 where family = 'roster'`)
	for _, p := range paths {
		require.Eventually(t, func() bool { return b.get(t, p).body != first[p].body }, 10*time.Second, time.Millisecond)
		require.Contains(t, b.get(t, p).body, "Quentin Abernathy")
	}
}

func TestChangesOfAnotherFamilyLeaveAnswersAlone(t *testing.T) {
	t.Parallel()
	b := following(t, testdb.Booking{ID: "fulton-2026-000001", Name: "Quentin Abernethy"})
	first := b.get(t, "/roster")
	b.exec(t, `update bookings set name = 'Quentin Abernathy'`)
	before, _ := b.store.View()
	b.exec(t, `update generations set gen = gen + 1 where family = 'courts'`)
	require.Eventually(t, func() bool { v, _ := b.store.View(); return v.Courts > before.Courts }, 10*time.Second, time.Millisecond)
	require.Equal(t, first.body, b.get(t, "/roster").body)
}

func TestALinkChangesBothItsEnds(t *testing.T) {
	t.Parallel()
	b := following(t, testdb.Booking{ID: "fulton-2026-000001", Name: "Quentin Abernethy"}, testdb.Offender{GdcID: "G1", Name: "ABERNETHY, QUENTIN"})
	require.Contains(t, b.get(t, "/roster/fulton-2026-000001").body, `"gdc_match":null`)
	require.Contains(t, b.get(t, "/corrections/G1").body, `"county_records":[]`)
	b.db.Add(t, testdb.Link{Booking: "fulton-2026-000001", Offender: "G1"})
	require.Eventually(t, func() bool {
		return !strings.Contains(b.get(t, "/roster/fulton-2026-000001").body, `"gdc_match":null`) &&
			!strings.Contains(b.get(t, "/corrections/G1").body, `"county_records":[]`)
	}, 10*time.Second, time.Millisecond)
}

func TestWithoutItsChangeFeedNoAnswerIsKept(t *testing.T) {
	t.Parallel()
	b := following(t, testdb.Booking{ID: "fulton-2026-000001", Name: "Quentin Abernethy"})
	require.Contains(t, b.get(t, "/roster").body, "Abernethy")
	b.exec(t, `update bookings set name = 'Quentin Abernathy'`)
	b.exec(t, `select pg_terminate_backend(pid) from pg_stat_activity where query = 'select family, gen from generations'`)
	require.Eventually(t, func() bool { return strings.Contains(b.get(t, "/roster").body, "Abernathy") }, 10*time.Second, time.Millisecond)
	b.awaitView(t)
}

func TestTheNextHearingEndsAKeptAnswer(t *testing.T) {
	t.Parallel()
	b := following(t, testdb.Case{Number: "26-CR-1", Defendant: "Quentin Abernethy", Hearings: []testdb.Hearing{{Date: "2026-03-10", Time: "11:30"}}})
	require.Contains(t, b.get(t, "/courts/26-CR-1").body, `"next_hearing":"2026-03-10T11:30:00-04:00"`)
	b.now.at = b.now.at.Add(31 * time.Minute)
	require.Contains(t, b.get(t, "/courts/26-CR-1").body, `"next_hearing":null`)
}
