package resolve_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
	"rollcall/models/snapshot"
	"rollcall/resolve"
)

func stay(name string, hours float64) resolve.Stay {
	return resolve.Stay{Person: resolve.Person{Name: name}, BookedAt: noon(hours)}
}

func TestIdentify(t *testing.T) {
	t.Parallel()
	const name = "MOONSAIL, ORLA"
	lists := resolve.Identity{Lists: true, Rekey: resolve.Rekey(false, true)}
	other := func(record int64, s resolve.Stay) resolve.Candidate {
		return resolve.Candidate{Stay: s, Record: record}
	}
	mine := func(record int64, s resolve.Stay, named bool) resolve.Candidate {
		return resolve.Candidate{Stay: s, Record: record, Mine: true, Named: named}
	}
	row := func(s resolve.Stay, near ...resolve.Candidate) resolve.Newcomer {
		return resolve.Newcomer{Stay: s, At: noon(0), Near: near}
	}
	// merged is a booking, as it was, that was merged into another one.
	merged := func(by, record int64, s resolve.Stay) resolve.Candidate {
		return resolve.Candidate{Stay: s, Record: record, By: by, MergedAt: noon(-1)}
	}
	via := func(row int, record, by int64) resolve.Match {
		return resolve.Match{Row: row, Record: record, How: resolve.Matched, By: by, MergedAt: noon(-1)}
	}
	over := stay(name, -12) // the day alone
	over.Over = true
	for text, c := range map[string]struct {
		p    resolve.Identity
		rows []resolve.Newcomer
		want []resolve.Match
	}{
		"the words of a name in another order": {lists, []resolve.Newcomer{row(stay("ORLA MOONSAIL", -5), other(1, stay(name, -5)))}, []resolve.Match{{Row: 0, Record: 1, How: resolve.Matched}}},
		"a minute apart":                       {lists, []resolve.Newcomer{row(stay(name, -5), other(1, stay(name, -5-1./60)))}, []resolve.Match{{Row: 0, Record: 1, How: resolve.Matched}}},
		"an hour apart":                        {lists, []resolve.Newcomer{row(stay(name, -5), other(1, stay(name, -6)))}, nil},
		"the day alone":                        {lists, []resolve.Newcomer{row(stay(name, -5), other(1, stay(name, -12)))}, []resolve.Match{{Row: 0, Record: 1, How: resolve.Matched}}},
		"the day alone, and it is over":        {lists, []resolve.Newcomer{row(stay(name, -5), other(1, over))}, nil},
		"two that it could be":                 {lists, []resolve.Newcomer{row(stay(name, -5), other(1, stay(name, -5)), other(2, stay(name, -5)))}, nil},
		"two that could be it":                 {lists, []resolve.Newcomer{row(stay(name, -5), other(1, stay(name, -5))), row(stay(name, -5), other(1, stay(name, -5)))}, nil},
		"another name":                         {lists, []resolve.Newcomer{row(stay("STORMCROW, IDA", -5), other(1, stay(name, -5)))}, nil},
		"its own under a key that is gone":     {lists, []resolve.Newcomer{row(stay(name, -5), mine(1, stay(name, -5), false))}, []resolve.Match{{Row: 0, Record: 1, How: resolve.Rekeyed}}},
		"its own under a key that is listed":   {lists, []resolve.Newcomer{row(stay(name, -5), mine(1, stay(name, -5), true))}, nil},
		"a delta with numbers":                 {resolve.Identity{Rekey: resolve.Rekey(false, false)}, []resolve.Newcomer{row(stay(name, -5), mine(1, stay(name, -5), false))}, nil},
		"one that was merged":                  {lists, []resolve.Newcomer{row(stay(name, -5), merged(2, 1, stay(name, -5)))}, []resolve.Match{via(0, 1, 2)}},
		"one that was merged, and is shown":    {lists, []resolve.Newcomer{row(stay(name, -5), other(1, stay(name, -5)), merged(2, 1, stay(name, -5)))}, []resolve.Match{via(0, 1, 2)}},
		"one of each of two that are merged":   {lists, []resolve.Newcomer{row(stay(name, -5), other(1, stay(name, -5))), row(stay(name, -3), merged(2, 1, stay(name, -3)))}, []resolve.Match{{Row: 0, Record: 1, How: resolve.Matched}, via(1, 1, 2)}},
		"two that could be a merged one":       {lists, []resolve.Newcomer{row(stay(name, -5), merged(2, 1, stay(name, -5))), row(stay(name, -5), merged(2, 1, stay(name, -5)))}, nil},
		"a merged one and another":             {lists, []resolve.Newcomer{row(stay(name, -5), other(3, stay(name, -5)), merged(2, 1, stay(name, -5)))}, nil},
		"a takeover":                           {resolve.Identity{Lists: true}, []resolve.Newcomer{row(stay(name, -5), mine(1, stay(name, -5), false))}, nil},
		"a corrected name in the key":          {resolve.Identity{Lists: true, Rekey: resolve.Rekey(true, true)}, []resolve.Newcomer{row(stay("MOONSALE, ORLA", -5), mine(1, stay(name, -5), false))}, []resolve.Match{{Row: 0, Record: 1, How: resolve.Rekeyed}}},
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, resolve.Identify(c.p, c.rows))
		})
	}
}

func TestANumberIsUsedAgainAfterTheRelease(t *testing.T) {
	t.Parallel()
	midnight := noon(-12)
	for text, c := range map[string]struct {
		released *time.Time
		booked   float64
		want     bool
	}{
		"after it":                      {new(noon(-8)), -7, true},
		"before it":                     {new(noon(-8)), -9, false},
		"not released":                  {nil, -7, false},
		"the day of a release by day":   {&midnight, -7, false},
		"the next day":                  {&midnight, 14, true},
		"at the minute of the release":  {new(noon(-8)), -8, false},
		"who comes back from nowhere":   {new(noon(-8)), -20, false},
		"the day of release, by minute": {new(noon(-11)), -7, true},
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, resolve.Reused(&resolve.BookingRecord{Released: c.released}, &snapshot.RosterRow{BookedAt: noon(c.booked)}))
		})
	}
}

func TestEvents(t *testing.T) {
	t.Parallel()
	hidden := resolve.Visibility{Reason: models.WithheldJuvenile}
	booked := resolve.BookingRecord{Name: "MOONSAIL, ORLA", BookedAt: noon(-5)}
	with := func(edit func(*resolve.BookingRecord)) *resolve.BookingRecord {
		b := booked
		edit(&b)
		return &b
	}
	released := with(func(b *resolve.BookingRecord) { b.Released = new(noon(0)) })
	sealed := with(func(b *resolve.BookingRecord) { b.Visibility = hidden })
	rich := with(func(b *resolve.BookingRecord) { b.Bond = new(int64(5)) })
	renamed := with(func(b *resolve.BookingRecord) { b.Name = "MOONSALE, ORLA" })
	freed := with(func(b *resolve.BookingRecord) { b.Name, b.Released = renamed.Name, released.Released })
	for text, c := range map[string]struct {
		before, after *resolve.BookingRecord
		baseline      resolve.Baseline
		want          []resolve.Event
	}{
		"a release":                       {&booked, released, resolve.Baseline{}, []resolve.Event{{Kind: "release"}}},
		"a release taken back":            {released, &booked, resolve.Baseline{}, []resolve.Event{{Kind: "retraction", IfNotified: true}}},
		"a bond":                          {rich, &booked, resolve.Baseline{}, []resolve.Event{{Kind: "bond_change", OldBond: rich.Bond}}},
		"a corrected person":              {&booked, renamed, resolve.Baseline{}, []resolve.Event{{Kind: "booking", Corrected: true}}},
		"a release of a corrected person": {&booked, freed, resolve.Baseline{}, []resolve.Event{{Kind: "release", Either: true}}},
		"a juvenile":                      {&booked, sealed, resolve.Baseline{}, []resolve.Event{{Kind: "sealed", IfNotified: true}}},
		"no juvenile after all":           {sealed, &booked, resolve.Baseline{}, []resolve.Event{{Kind: "booking"}}},
		"nothing":                         {&booked, &booked, resolve.Baseline{}, nil},
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, resolve.Events(c.before, c.after, c.baseline))
		})
	}
}

func TestTurnoverCountsWhoComesAndGoes(t *testing.T) {
	t.Parallel()
	brief := func(name string, hours float64) resolve.Brief {
		return resolve.Brief{County: 1, Name: name, BookedAt: noon(hours)}
	}
	rekeyed := brief("moonsale orla", -5)
	rekeyed.Rekeyed = true
	got := resolve.CountTurnover([]resolve.Brief{brief("stormcrow ida", -100), brief("thistledown pip", -6), rekeyed},
		[]resolve.Brief{brief("pip thistledown", -6), brief("stormcrow ida", -5)}, 10, 9, noon(-1))
	require.Equal(t, resolve.Turnover{Listed: 10, Fresh: 3, Overdue: 1, Known: 9, Vanished: 2, Again: 1, Rekeyed: 1, Replaced: 1}, got)

	gone := brief("pip thistledown", -6)
	gone.Record = 7
	got = resolve.CountTurnover([]resolve.Brief{brief("thistledown pip", -6)}, []resolve.Brief{gone, gone}, 10, 9, noon(-1))
	require.Equal(t, []int{2, 1, 1}, []int{got.Vanished, got.Again, got.Replaced}, "one person whose number changed twice")
}
