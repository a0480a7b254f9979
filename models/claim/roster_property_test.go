package claim_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rollcall/internal/property"
	"rollcall/models"
	"rollcall/models/internal/modelstest"
	"rollcall/models/snapshot"
)

// list is what a roster lists at an hour.
type list struct {
	hour     int
	complete bool
	rows     []snapshot.RosterRow // without instants
}

// drawLists draws what a jail lists of three people, in the order of its hours.
func drawLists(r *rapid.T, county int16, booked time.Time) (lists []list) {
	for i := range rapid.IntRange(2, 5).Draw(r, "lists") {
		l := list{hour: i, complete: rapid.IntRange(0, 3).Draw(r, "cut") > 0}
		for p := range 3 {
			if rapid.IntRange(0, 2).Draw(r, "away") == 0 {
				continue
			}
			bond := int64(rapid.IntRange(1, 3).Draw(r, "bond")) * 10000
			row := snapshot.RosterRow{
				Key: fmt.Sprintf("K%d", p), CountyID: county, Name: fmt.Sprintf("MOONSAIL %c, ORLA", 'A'+p), BookedAt: booked.Add(time.Duration(p) * time.Hour), BondCents: &bond,
				Charges: []snapshot.Charge{{Description: rapid.SampledFrom([]string{"THEFT", "DUI"}).Draw(r, "charge")}},
				Agency:  rapid.SampledFrom([]string{"", "GSP", "DNR"}).Draw(r, "agency"), Line: int64(p + 1),
			}
			switch rapid.IntRange(0, 9).Draw(r, "age") {
			case 0:
				row.Withheld, row.Sign = "juvenile", snapshot.SignFlag
			case 1, 2:
				row.DOB, row.BirthYear = &models.Date{Year: 1985, Month: 7, Day: 11}, 1985
			}
			row.Fingerprint = fmt.Append(nil, row.Name, bond, row.Charges, row.Agency, "|", row.Withheld, row.DOB)
			l.rows = append(l.rows, row)
		}
		lists = append(lists, l)
	}
	return lists
}

// list applies lists of a source. Keys begin with the name of the source.
func (b *records) list(t require.TestingT, source string, at time.Time, lists ...list) {
	for _, l := range lists {
		when := at.Add(time.Duration(l.hour) * time.Hour)
		rows := make([]*snapshot.RosterRow, len(l.rows))
		for i := range l.rows {
			row := l.rows[i]
			row.SeenAt = when
			rows[i] = &row
		}
		_, _, err := b.Store.ReconcileRoster(b.Ctx, b.Reconciler(t, source, when, l.complete), modelstest.Each(rows))
		require.NoError(t, err)
	}
}

// told is what is stored of a source's bookings, by its keys.
func (b *records) told(t require.TestingT, source string) (s string) {
	require.NoError(t, b.Pool.QueryRow(b.Ctx, `select coalesce(string_agg(concat_ws(' ', c.key, b.name, b.bond_cents, b.charges, b.agency, b.dob, b.released_at, b.release_inferred, b.withheld), '; ' order by c.key), '')
 from roster_claims c join bookings b on b.rid = c.record where c.source_id = $1`, source).Scan(&s))
	return s
}

// stored is every row that a source's snapshots write.
func (b *records) stored(t require.TestingT) (s string) {
	require.NoError(t, b.Pool.QueryRow(b.Ctx, `select md5(string_agg(x, '' order by x)) from (select concat(b.xmin, b::text) from bookings b union all select concat(c.xmin, c::text) from roster_claims c
 union all select v::text from record_changes v union all select c::text from changes c) t (x)`).Scan(&s))
	return s
}

// roster makes a source that promises whole lists.
func (b *records) roster(t require.TestingT, id string) {
	_, err := b.Pool.Exec(b.Ctx, `insert into sources (id, title, kind, enabled, whole_since) values ($1, $1, 'roster', true, now())`, id)
	require.NoError(t, err)
}

// changing makes a source that sends what changed.
func (b *records) changing(t require.TestingT, id string) {
	_, err := b.Pool.Exec(b.Ctx, `insert into sources (id, title, kind, enabled) values ($1, $1, 'roster', true)`, id)
	require.NoError(t, err)
}

func TestAnyOrderOfAJailsListsLeadsToTheSameBookings(t *testing.T) {
	t.Parallel()
	b := withRecords(t)
	fulton, err := b.Store.Counties().BySlug("fulton")
	require.NoError(t, err)
	cobb, err := b.Store.Counties().BySlug("cobb")
	require.NoError(t, err)
	trial := 0
	property.Check(t, 30, func(r *rapid.T) {
		trial++
		begin := time.Date(2000, 1, 1, 15, 0, 0, 0, time.UTC).AddDate(0, 0, 7*trial)
		ordered, mixed := fmt.Sprintf("o%d", trial), fmt.Sprintf("m%d", trial)
		b.roster(r, ordered)
		b.roster(r, mixed)
		series := drawLists(r, fulton.ID, begin)
		elsewhere := make([]list, len(series))
		for i, l := range series { // the twin is of another county, or the two would be one jail's
			elsewhere[i] = list{hour: l.hour, complete: l.complete}
			for _, row := range l.rows {
				row.CountyID = cobb.ID
				elsewhere[i].rows = append(elsewhere[i].rows, row)
			}
		}
		b.list(r, ordered, begin.AddDate(0, 0, 1), series...)
		order := rapid.Permutation(append(elsewhere, rapid.SliceOfN(rapid.SampledFrom(elsewhere), 0, 2).Draw(r, "again")...)).Draw(r, "order")
		b.list(r, mixed, begin.AddDate(0, 0, 1), order...)
		if !contradicting(series) {
			require.Equal(r, b.told(r, ordered), b.told(r, mixed))
		}
		rebuilt, err := b.Store.Rebuild(b.Ctx, models.Roster, true)
		require.NoError(r, err)
		require.Empty(r, rebuilt.Changes, "to resolve anew changes nothing")
		before := b.stored(r)
		b.list(r, mixed, begin.AddDate(0, 0, 1), elsewhere[len(elsewhere)-1])
		require.Equal(r, before, b.stored(r), "the newest once more writes nothing")
	})
}

// contradicting reports whether one person is a juvenile in one list and an adult in another: what decision 0012 names as a
// known limit.
func contradicting(series []list) bool {
	young, adult := map[string]bool{}, map[string]bool{}
	for _, l := range series {
		for _, row := range l.rows {
			young[row.Key] = young[row.Key] || row.Withheld != ""
			adult[row.Key] = adult[row.Key] || row.DOB != nil
		}
	}
	for key := range young {
		if young[key] && adult[key] {
			return true
		}
	}
	return false
}

// A merge can be undone: both bookings are what they were, and stay so whatever a list and a feed of changes say meanwhile and
// next.
func TestAMergeOfBookingsThatIsUndoneLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	b := withRecords(t)
	trial := 0
	property.Check(t, 30, func(r *rapid.T) {
		trial++
		begin := time.Date(2000, 1, 1, 15, 0, 0, 0, time.UTC).AddDate(0, 0, 7*trial)
		m := newMerging(r, b, trial, begin)
		cut := rapid.IntRange(1, m.last-1).Draw(r, "merged after")
		m.hours(r, 0, cut)
		before := m.told(r, "s")
		kept, gone := m.id(r, "K0"), m.id(r, "K1")
		if kept == "" || gone == "" || kept == gone {
			return // one of them is not there, or not to be merged
		}
		b.Now = begin.AddDate(0, 0, 1).Add(time.Duration(cut)*time.Hour - time.Minute)
		require.NoError(r, b.Store.MergeBookings(b.Ctx, kept, gone))
		back := rapid.IntRange(cut, m.last).Draw(r, "undone after")
		m.hours(r, cut, back)
		require.NoError(r, b.Store.Unmerge(b.Ctx, models.Roster, gone, "desk", "two people"))
		if back == cut {
			require.Equal(r, before, m.told(r, "s"))
		}
		require.Equal(r, m.told(r, "t"), m.told(r, "s"))
		m.hours(r, back, m.last)
		require.Equal(r, m.told(r, "t"), m.told(r, "s"))
		rebuilt, err := b.Store.Rebuild(b.Ctx, models.Roster, true)
		require.NoError(r, err)
		require.Empty(r, rebuilt.Changes)
	})
}

// merging is a list and a feed of changes of one jail (s), and of a twin in another county (t) where nothing is merged.
type merging struct {
	*records
	trial    int
	begin    time.Time
	counties map[string]int16
	lists    []list
	changes  []message
	last     int // the hour after which nothing is said
}

func newMerging(r *rapid.T, b *records, trial int, begin time.Time) *merging {
	m := &merging{records: b, trial: trial, begin: begin, counties: map[string]int16{}}
	for side, slug := range map[string]string{"s": "fulton", "t": "cobb"} {
		county, err := b.Store.Counties().BySlug(slug)
		require.NoError(r, err)
		m.counties[side] = county.ID
		b.roster(r, m.source(side, "list"))
		b.changing(r, m.source(side, "feed"))
	}
	m.lists = drawLists(r, 0, begin)
	for hour := range len(m.lists) {
		if p := rapid.IntRange(-1, 2).Draw(r, "changed"); p >= 0 {
			bond := int64(rapid.IntRange(4, 6).Draw(r, "bond")) * 10000
			row := snapshot.RosterRow{
				Key: fmt.Sprintf("M%d", p), Name: fmt.Sprintf("MOONSAIL %c, ORLA", 'A'+p), BookedAt: begin.Add(time.Duration(p) * time.Hour), BondCents: &bond,
				Changes: true, Line: 1, Fingerprint: fmt.Append(nil, p, bond),
			}
			m.changes = append(m.changes, message{hour, row})
		}
	}
	m.last = len(m.lists)
	return m
}

func (m *merging) source(side, kind string) string {
	return fmt.Sprintf("%s%d-%s", side, m.trial, kind)
}

// hours applies what both sources say from one hour to another, half an hour apart.
func (m *merging) hours(t require.TestingT, from, to int) {
	at := m.begin.AddDate(0, 0, 1)
	for hour := from; hour < to; hour++ {
		m.Now = at.Add(time.Duration(hour) * time.Hour)
		for side, county := range m.counties {
			l := list{hour: hour, complete: m.lists[hour].complete}
			for _, row := range m.lists[hour].rows {
				row.CountyID = county
				l.rows = append(l.rows, row)
			}
			m.list(t, m.source(side, "list"), at, l)
			for _, c := range m.changes {
				if c.row.CountyID = county; c.hour == hour {
					m.reports(t, m.source(side, "feed"), at.Add(30*time.Minute), c)
				}
			}
		}
	}
}

// told is what is stored of both sources' bookings of one side.
func (m *merging) told(t require.TestingT, side string) string {
	return m.records.told(t, m.source(side, "list")) + " | " + m.records.told(t, m.source(side, "feed"))
}

// id is the id of the published booking of a key of the list; empty: there is none.
func (m *merging) id(t require.TestingT, key string) (id string) {
	require.NoError(t, m.Pool.QueryRow(m.Ctx, `select coalesce((select b.id from roster_claims c join published_bookings b on b.rid = c.record where c.source_id = $1 and c.key = $2), '')`,
		m.source("s", "list"), key).Scan(&id))
	return id
}
