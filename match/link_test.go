package match_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/bench/labelled"
	"rollcall/match"
)

func record(id, name, born string) match.Record {
	return match.Record{ID: id, Name: match.Parse(name), Born: match.ParseBirth(born)}
}

func booked(name, born string) *match.Booking {
	return &match.Booking{Name: match.Parse(name), Born: match.ParseBirth(born)}
}

func TestBestFollowsTheRulesOfLinkage(t *testing.T) {
	t.Parallel()
	abernethy := record("r", "ABERNETHY, QUENTIN ELIAS", "1980-03-04")
	for name, c := range map[string]struct {
		booking *match.Booking
		records []match.Record
		want    match.Confidence
	}{
		"name and birth date agree":              {booked("Quentin E Abernethy", "1980-03-04"), []match.Record{abernethy}, match.High},
		"a birth-date conflict vetoes":           {booked("Quentin E Abernethy", "1961-07-30"), []match.Record{abernethy}, match.NoLink},
		"no birth evidence is at most low":       {booked("Quentin Elias Abernethy", ""), []match.Record{abernethy}, match.Low},
		"a year only is at most medium":          {booked("Quentin Elias Abernethy", "1980"), []match.Record{abernethy}, match.Medium},
		"day and month swapped are near":         {booked("Quentin Elias Abernethy", "1980-04-03"), []match.Record{abernethy}, match.High},
		"1 January is no birth date":             {booked("Quentin Elias Abernethy", "1980-01-01"), []match.Record{abernethy}, match.Medium},
		"two equal records make no link":         {booked("Quentin Abernethy", "1980-03-04"), []match.Record{record("a", "ABERNETHY, QUENTIN", "1980-03-04"), record("b", "ABERNETHY, QUENTIN", "1980-03-04")}, match.NoLink},
		"a worse runner-up does not stop a link": {booked("Quentin Elias Abernethy", "1980-03-04"), []match.Record{abernethy, record("b", "ABERNETHY, QUENTIN", "1981")}, match.High},
		"a twin is another person":               {booked("Zola Abernethy", "1980-03-04"), []match.Record{abernethy}, match.NoLink},
		"a conflicting suffix is at most low":    {booked("Quentin Abernethy Jr", "1980-03-04"), []match.Record{record("r", "Quentin Abernethy Sr", "1980-03-04")}, match.NoLink},
		"nobody":                                 {booked("Quentin Abernethy", "1980-03-04"), nil, match.NoLink},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			link := match.Best(c.booking, c.records, 500_000)
			require.Equal(t, c.want, link.Confidence, "%+v", link)
			require.Equal(t, c.want != match.NoLink, link.RecordID != "")
			require.Equal(t, c.want != match.NoLink, len(link.Reasons) > 0)
		})
	}
}

func TestFrequentNamesNeedMoreThanRareOnes(t *testing.T) {
	t.Parallel()
	rare := match.Best(booked("Quentin Abernethy", ""), []match.Record{record("r", "ABERNETHY, QUENTIN", "")}, 500_000)
	common := match.Best(booked("James Smith", ""), []match.Record{record("r", "SMITH, JAMES", "")}, 500_000)
	require.Equal(t, match.Low, rare.Confidence)
	require.Equal(t, match.NoLink, common.Confidence, "hundreds of people have this name")
}

// tally counts the links of bookings that have a record.
type tally struct{ due, high, medium float64 }

// linkTally links the labelled bookings and counts by what was done to names and births; false links of people without
// a record are counted as such.
func linkTally(t *testing.T, seed uint64) (all tally, falseHigh, falseMedium float64, by map[string]*tally) {
	t.Helper()
	g, err := labelled.New("tables", seed, labelled.HeldOut)
	require.NoError(t, err)
	set := g.Linkage(30_000, 60_000)
	records := make([]match.Record, len(set.Records))
	for i, r := range set.Records {
		records[i] = record(r.ID, r.Name, r.Born)
	}
	linker := match.NewLinker(records)
	by = map[string]*tally{}
	of := func(key string) *tally {
		if by[key] == nil {
			by[key] = &tally{}
		}
		return by[key]
	}
	for _, b := range set.Bookings {
		link := linker.Link(booked(b.Name, b.Born), false)
		want, known := set.Truth[b.ID]
		if link.RecordID != want {
			switch link.Confidence {
			case match.High:
				falseHigh++
			case match.Medium:
				falseMedium++
			}
		}
		if !known {
			continue
		}
		counted := []*tally{&all, of("birth " + set.Slip[b.ID])}
		if set.Slip[b.ID] != "missing" {
			counted = append(counted, of("name "+set.Written[b.ID]), of("dated"))
		}
		for _, c := range counted {
			c.due++
			switch {
			case link.RecordID != want:
			case link.Confidence == match.High:
				c.high++
			case link.Confidence == match.Medium:
				c.medium++
			}
		}
	}
	return all, falseHigh, falseMedium, by
}

func TestLinkerReachesTheFloors(t *testing.T) {
	t.Parallel()
	all, falseHigh, falseMedium, by := linkTally(t, 7)
	for _, key := range slices.Sorted(maps.Keys(by)) {
		c := by[key]
		t.Logf("%-36s %5.0f: high %.4f, high and medium %.4f", key, c.due, c.high/c.due, (c.high+c.medium)/c.due)
	}
	highPrecision, highRecall := all.high/(all.high+falseHigh), all.high/all.due
	both := all.high + all.medium
	precision, recall := both/(both+falseHigh+falseMedium), both/all.due
	dated := by["dated"]
	t.Logf("high precision %.5f recall %.4f; high and medium precision %.5f recall %.4f, of those with a birth date or year %.4f",
		highPrecision, highRecall, precision, recall, (dated.high+dated.medium)/dated.due)
	require.GreaterOrEqual(t, highPrecision, 0.999)
	require.GreaterOrEqual(t, highRecall, 0.74)
	require.GreaterOrEqual(t, precision, 0.997)
	require.GreaterOrEqual(t, recall, 0.885, "a tenth of the bookings has no birth date and can be low at most")
	require.GreaterOrEqual(t, (dated.high+dated.medium)/dated.due, 0.99)
	for _, slip := range []string{"as it is", "day and month swapped", "day off", "month off", "year off", "1 January", "year only"} {
		c := by["birth "+slip]
		require.GreaterOrEqual(t, (c.high+c.medium)/c.due, 0.95, slip)
	}
	require.Zero(t, by["birth missing"].high+by["birth missing"].medium)
	require.Zero(t, by["birth year only"].high)
}

func TestBirthsRelateAsTheySlip(t *testing.T) {
	t.Parallel()
	const conflict = "birth dates conflict"
	for name, c := range map[string]struct{ a, b, want string }{
		"equal":                                {"1978-03-24", "1978-03-24", "birth date agrees"},
		"day and month swapped":                {"1978-03-04", "1978-04-03", "day and month of birth swapped"},
		"another day":                          {"1978-03-24", "1978-03-25", "one part of the birth date differs"},
		"another month":                        {"1978-03-24", "1978-08-24", "one part of the birth date differs"},
		"a neighbouring year":                  {"1979-03-24", "1980-03-24", "one part of the birth date differs"},
		"one digit of the year":                {"1978-03-24", "1998-03-24", "one part of the birth date differs"},
		"two digits of the year exchanged":     {"1978-03-24", "1987-03-24", "one part of the birth date differs"},
		"the wrong century":                    {"1925-03-24", "2025-03-24", "one part of the birth date differs"},
		"a year that is no slip":               {"1961-03-24", "1989-03-24", conflict},
		"two parts":                            {"1978-03-24", "1978-04-25", conflict},
		"1 January for an unknown day":         {"1978-01-01", "1978-04-25", "birth year agrees, day unknown on one side"},
		"1 January of the year after":          {"1979-01-01", "1978-04-25", "birth years one apart"},
		"1 January of another year":            {"1983-01-01", "1978-04-25", conflict},
		"two children of the new year":         {"1988-01-01", "1978-01-01", "one part of the birth date differs"},
		"a year and a date":                    {"1978", "1978-04-25", "birth year agrees"},
		"a year without month and day":         {"1978-00-00", "1978-04-25", "birth year agrees"},
		"years one apart":                      {"1979", "1978-04-25", "birth years one apart"},
		"years two apart":                      {"1980", "1978-04-25", conflict},
		"nothing on one side":                  {"", "1978-04-25", ""},
		"a date that cannot be is no evidence": {"1978-13-40", "1978-04-25", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := match.Parse("Quentin Abernethy")
			for _, pair := range [][2]string{{c.a, c.b}, {c.b, c.a}} {
				reasons := match.ExplainBorn(&n, &n, match.ParseBirth(pair[0]), match.ParseBirth(pair[1]))
				if c.want == "" {
					require.Equal(t, match.Explain(&n, &n), reasons)
					continue
				}
				require.Equal(t, c.want, reasons[len(reasons)-1])
			}
		})
	}
}

func TestAnEqualBirthDateMakesUpForDamagedNames(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		booking, record, born string
		want                  match.Confidence
	}{
		"first and last name exchanged":               {"JESUS, DALE", "Jesus Dale", "1963-03-13", match.High},
		"the same without an equal date":              {"JESUS, DALE", "Jesus Dale", "1963-03-14", match.NoLink},
		"two slips that no key of the names survives": {"Cralpon, Conor Michael", "CARLSON, CONOR MICHAEL", "1963-03-13", match.High},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			linker := match.NewLinker([]match.Record{record("r", c.record, "1963-03-13"), record("s", "Abernethy, Quentin", "1963-03-13")})
			link := linker.Link(booked(c.booking, c.born), true)
			require.Equal(t, c.want, link.Confidence, "%+v", link)
		})
	}
}

func TestLinkerAgreesWithBest(t *testing.T) {
	t.Parallel()
	records := []match.Record{
		record("a", "ABERNETHY, QUENTIN ELIAS", "1980-03-04"), record("b", "WINTERBOURNE, ZOLA", "1990-01-02"), record("c", "ABERNATHY, QUENTON", "1975-12-24"),
	}
	linker := match.NewLinker(records)
	for _, b := range []*match.Booking{booked("Quentin Abernethy", "1980-03-04"), booked("Zola Winterborne", "1990"), booked("Nobody Atall", "1980-03-04")} {
		require.Equal(t, match.Best(b, records, len(records)), linker.Link(b, true))
	}
}
