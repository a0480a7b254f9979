package match_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/match"
	"rollcall/match/internal/labelled"
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

func TestLinkerReachesTheFloors(t *testing.T) {
	t.Parallel()
	g, err := labelled.New("tables", 6, labelled.HeldOut)
	require.NoError(t, err)
	set := g.Linkage(30_000, 60_000)
	records := make([]match.Record, len(set.Records))
	for i, r := range set.Records {
		records[i] = record(r.ID, r.Name, r.Born)
	}
	linker := match.NewLinker(records)
	var made, right [match.High + 1]float64
	for _, b := range set.Bookings {
		booking := booked(b.Name, b.Born)
		link := linker.Link(booking, false)
		made[link.Confidence]++
		if link.RecordID != "" && set.Truth[b.ID] == link.RecordID {
			right[link.Confidence]++
		}
	}
	due := float64(len(set.Truth))
	highPrecision, highRecall := right[match.High]/made[match.High], right[match.High]/due
	both := right[match.High] + right[match.Medium]
	precision, recall := both/(made[match.High]+made[match.Medium]), both/due
	t.Logf("high precision %.5f recall %.4f; high and medium precision %.5f recall %.4f", highPrecision, highRecall, precision, recall)
	require.GreaterOrEqual(t, highPrecision, 0.999)
	require.GreaterOrEqual(t, highRecall, 0.75)
	require.GreaterOrEqual(t, precision, 0.97)
	require.GreaterOrEqual(t, recall, 0.88, "a tenth of the bookings has no birth date and can be low at most")
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
