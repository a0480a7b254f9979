package ingest_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rollcall/ingest"
	"rollcall/internal/property"
	"rollcall/models/source"
)

const (
	numberKeys   = "[{of: [booking.number], strength: source}]"
	compositeKey = "[{of: [person.name, booking.booked_at], strength: composite}]"
)

// keyed is a county of a test whose keys are made so; days may be told alone.
func keyed(t require.TestingT, id, keys string) *ingest.Source {
	text := fmt.Sprintf(rosterDocument, id, 1)
	text = strings.Replace(text, "'2006-01-02 15:04'", "'2006-01-02 15:04', '2006-01-02'", 1)
	s, err := ingest.Parse([]byte(strings.Replace(text, numberKeys, keys, 1)))
	require.NoError(t, err)
	return s
}

// others are always listed: a jail is more than the one who is spoken of.
const others = "B1,\"THISTLEDOWN, PIP\",2026-02-01 09:00,$100.00\nB2,\"STORMCROW, IDA\",2026-02-01 09:30,$100.00\nB3,\"FENWICKE, DELL\",2026-02-01 09:40,$100.00\n"

func listed(rows ...string) string {
	return "id,name,booked,bond\n" + others + strings.Join(rows, "\n") + "\n#end\n"
}

func TestGuarantee6ACorrectionThatChangesTheKeyIsNoReleaseAndNoBooking(t *testing.T) {
	t.Parallel()
	const first = `A1,"MOONSAIL, ORLA",2026-02-01 10:00,$500.00`
	cases := []struct {
		name, keys, then string
		same             bool
		changed          string // version rows
	}{
		{"a middle name more", compositeKey, `A1,"MOONSAIL, ORLA TEAGAN",2026-02-01 10:00,$500.00`, true, "name MOONSAIL, ORLA>MOONSAIL, ORLA TEAGAN"},
		{"a letter more", compositeKey, `A1,"MOONSAILE, ORLA",2026-02-01 10:00,$500.00`, true, "name MOONSAIL, ORLA>MOONSAILE, ORLA"},
		{"a minute later", compositeKey, `A1,"MOONSAIL, ORLA",2026-02-01 10:01,$500.00`, true, "booked_at 2026-02-01T15:00:00.000000Z>2026-02-01T15:01:00.000000Z"},
		{"the day alone", compositeKey, `A1,"MOONSAIL, ORLA",2026-02-01,$500.00`, true, "booked_at 2026-02-01T15:00:00.000000Z>2026-02-01T05:00:00.000000Z"},
		{"another number", numberKeys, `C7,"MOONSAIL, ORLA",2026-02-01 10:00,$500.00`, true, ""},
		{"another number and a minute", numberKeys, `C7,"MOONSAIL, ORLA",2026-02-01 10:01,$500.00`, true, "booked_at 2026-02-01T15:00:00.000000Z>2026-02-01T15:01:00.000000Z"},
		{"ten minutes later", compositeKey, `A1,"MOONSAIL, ORLA",2026-02-01 10:10,$500.00`, false, ""},
		{"another first name", compositeKey, `A1,"MOONSAIL, WREN",2026-02-01 10:00,$500.00`, false, ""},
		{"a letter and a minute", compositeKey, `A1,"MOONSAILE, ORLA",2026-02-01 10:01,$500.00`, false, ""},
		{"another number and a letter", numberKeys, `C7,"MOONSAILE, ORLA",2026-02-01 10:00,$500.00`, false, ""},
		{"two who may be meant", compositeKey, "A1,\"MOONSAIL, ORLA T\",2026-02-01 10:00,$500.00\nA2,\"MOONSAIL, ORLA P\",2026-02-01 10:00,$500.00", false, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := newCounty(t)
			s := keyed(t, "county-a", c.keys)
			b.load(s, listed(first), day)
			b.events()
			id := one[string](b.bundle, `select id from bookings where name like 'MOONSAIL%'`)
			r := b.load(s, listed(c.then), day.AddDate(0, 0, 1))
			require.Equal(t, source.RunOK, r.State, r.String())
			status := `select string_agg(name || ' ' || status, '; ' order by name) from bookings where name like 'MOONSAIL%'`
			if !c.same {
				require.Contains(t, one[string](b.bundle, status), "MOONSAIL, ORLA released")
				require.Positive(t, r.New)
				return
			}
			require.Equal(t, []int{0, 1, 0}, []int{r.New, r.Adopted, r.Closed}, r.String())
			require.Equal(t, id, one[string](b.bundle, `select id from bookings where name like 'MOONSAIL%' and status = 'booked'`))
			require.Equal(t, c.changed, one[string](b.bundle, `select coalesce(string_agg(field || ' ' || before || '>' || after, '; ' order by field), '') from record_changes`))
			require.Equal(t, 2, one[int](b.bundle, `select count(*) from roster_claims g join bookings b on b.rid = g.record where b.id = $1`, id), "both keys lead to it")
			require.Empty(t, b.events())

			t.Log("a snapshot that comes again, or late, takes nothing back")
			before := one[string](b.bundle, `select b::text from bookings b where id = $1`, id)
			for _, again := range []struct {
				text string
				at   time.Time
			}{{listed(c.then), day.AddDate(0, 0, 1)}, {listed(first), day}, {listed(first), day.Add(time.Hour)}, {listed(c.then), day.AddDate(0, 0, 2)}} {
				r = b.load(s, again.text, again.at)
				require.Equal(t, []int{0, 0, 0, 0}, []int{r.New, r.Closed, r.Reopened, r.Changed}, r.String())
			}
			require.Equal(t, before, one[string](b.bundle, `select b::text from bookings b where id = $1`, id))
			require.Empty(t, b.events())

			t.Log("who is gone from the new key is released, once")
			r = b.load(s, listed(), day.AddDate(0, 0, 3))
			require.Equal(t, []int{0, 1}, []int{r.New, r.Closed}, r.String())
			require.Equal(t, "2026-02-03 2026-02-04", one[string](b.bundle, `select concat_ws(' ', release_after::date, released_at::date) from bookings where id = $1`, id))
			require.NotContains(t, b.events(), "booking")
		})
	}
}

func TestGuarantee6KeysThatAreToldTogetherAfterAllAreTwoBookings(t *testing.T) {
	t.Parallel()
	const one1, two = `A1,"MOONSAIL, ORLA",2026-02-01 10:00,$500.00`, `A2,"MOONSAIL, ORLA",2026-02-01 10:01,$700.00`
	for _, c := range []struct {
		name  string
		order []int
	}{
		{"in order", []int{0, 1, 2}}, {"both come late", []int{0, 2, 1}}, {"both come first", []int{1, 0, 2}}, {"the second came first", []int{2, 0, 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := newCounty(t)
			s := keyed(t, "county-a", numberKeys)
			files := []string{listed(one1), listed(one1, two), listed(two)}
			for range 2 {
				for _, i := range c.order {
					b.load(s, files[i], day.AddDate(0, 0, i))
				}
			}
			require.Equal(t, "A1 50000 released 2026-02-03; A2 70000 booked", one[string](b.bundle, `select string_agg(concat_ws(' ', g.key, b.bond_cents, b.status, b.released_at::date), '; ' order by g.key)
 from roster_claims g join bookings b on b.rid = g.record where b.name like 'MOONSAIL%'`))
		})
	}
}

// TestGuarantee5AnySeriesOfCorrectionsConverges is TestGuarantee5AnySeriesOfSnapshotsConverges for a source whose
// keys change with each correction: in any order and however often, each person is one booking with the facts of the
// newest row, released only when a complete snapshot after the last sighting lacks the person under every key.
func TestGuarantee5AnySeriesOfCorrectionsConverges(t *testing.T) {
	t.Parallel()
	b := setup(t)
	trial := 0
	property.Check(t, 25, func(r *rapid.T) {
		trial++
		s := keyed(r, fmt.Sprintf("county-%d", trial), rapid.SampledFrom([]string{compositeKey, numberKeys}).Draw(r, "keys"))
		s.Complete.Turnover = 1
		people := []string{"MOONSAIL", "THISTLEDOWN", "BRACKENRIDGE"}
		var series []property.Snapshot
		var texts []string
		for i := range rapid.IntRange(2, 5).Draw(r, "days") {
			snapshot := property.Snapshot{At: day.AddDate(0, 0, i), Complete: rapid.IntRange(0, 4).Draw(r, "cut") > 0, Listed: map[string]string{}}
			var rows strings.Builder
			fmt.Fprintf(&rows, "X%d,\"QUILLFEATHER, WREN\",2026-01-31 08:%02d,$1.00\n", trial, trial%60)
			for p, name := range people {
				if rapid.IntRange(0, 3).Draw(r, "away") == 0 {
					continue
				}
				version := rapid.IntRange(0, 2).Draw(r, "version")
				snapshot.Listed[name] = fmt.Sprintf("%d00", version+1)
				fmt.Fprintf(&rows, "%d-%d-%d,\"%s%d, ORLA\",2026-01-31 1%d:0%d,$%d.00\n", trial, p, version, name, trial, p, version, version+1)
			}
			text := "id,name,booked,bond\n" + rows.String()
			if snapshot.Complete {
				text += "#end\n"
			} else {
				text += "cut"
			}
			series, texts = append(series, snapshot), append(texts, text)
		}
		order := append(indexes(len(series)), rapid.SliceOfN(rapid.IntRange(0, len(series)-1), 0, 3).Draw(r, "again")...)
		for _, i := range rapid.Permutation(order).Draw(r, "order") {
			report := b.runSource(s, "roster.csv", texts[i], series[i].At)
			require.NotEqual(r, source.RunHeld, report.State, report.String())
		}
		want := map[string]string{}
		for name, f := range property.Model(series, 1) {
			want[name] = tell(f.Tells, f.Released)
		}
		rows, err := b.db.Pool.Query(t.Context(), `select regexp_replace(split_part(name, ',', 1), '[0-9]+$', ''), bond_cents::text, released_at from bookings where source_id = $1 and name not like 'QUILL%'`, s.ID)
		require.NoError(r, err)
		got := map[string]string{}
		for rows.Next() {
			var name, bond string
			var released *time.Time
			require.NoError(r, rows.Scan(&name, &bond, &released))
			require.Empty(r, got[name], "%s is one booking", name)
			got[name] = tell(bond, released)
		}
		require.NoError(r, rows.Err())
		require.Equal(r, want, got)
	})
}
