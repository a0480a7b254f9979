package claim_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models/snapshot"
)

func TestWhatIsNewsOfNewBookings(t *testing.T) {
	t.Parallel()
	j := withJailFiles(t)
	rows := func(salt string) []snapshot.RosterRow {
		child := j.row(salt+"5", "STORMCROW, IDA", 40, 0, 1)
		child.Withheld = "juvenile"
		return []snapshot.RosterRow{
			j.row(salt+"1", "LANTERNWOOD, AZ", 1, 0, 1), j.row(salt+"2", orla, 40, 0, 1), j.row(salt+"3", tolliver, 30, 44, 1),
			j.row(salt+"4", "THISTLEDOWN, PIP", 2, 44, 1), child,
		}
	}
	news := func() (s string) {
		require.NoError(t, j.Pool.QueryRow(j.Ctx, `select string_agg(name || ' ' || kind, '; ' order by name, kind) from changes where detected_at = $1`, j.Now).Scan(&s))
		return s
	}
	j.Now = j.at(48)
	j.reads(changed, 48, rows("A")...)
	require.Equal(t, tolliver+" booking; "+tolliver+" release; "+orla+" booking; THISTLEDOWN, PIP release", news(), "what began or ended within a day, of a new source")
	j.Now = j.at(49)
	for _, again := range rows("B") {
		again.BookedAt, again.Name = again.BookedAt.AddDate(0, -1, 0), again.Name+" II"
		j.reads(changed, 49, again)
	}
	require.Equal(t, tolliver+" II booking; "+tolliver+" II release; LANTERNWOOD, AZ II booking; "+orla+" II booking; THISTLEDOWN, PIP II booking; THISTLEDOWN, PIP II release",
		news(), "all of a known source but juveniles")
}
