package match_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/match"
)

func stay(name, born string, charges ...string) match.Stay {
	return match.Stay{Name: match.Parse(name), Born: match.ParseBirth(born), Charges: charges, Numbers: []string{"B20260077"}}
}

func TestCasesLinkByNameCountyAndOffense(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		born, booking string
		offenses      []string
		stays         []match.Stay
		want          []match.Confidence
	}{
		"name and offense are low":               {offenses: []string{"BURGLARY"}, stays: []match.Stay{stay("Abernethy, Quentin", "1980-03-04", "Burglary 1st degree")}, want: []match.Confidence{match.Low}},
		"the section of the code is an offense":  {offenses: []string{"16-8-2 THEFT"}, stays: []match.Stay{stay("Abernethy, Quentin", "", "THEFT BY TAKING 16-8-2 (F)")}, want: []match.Confidence{match.Low}},
		"no offense in common is no link":        {offenses: []string{"BURGLARY"}, stays: []match.Stay{stay("Abernethy, Quentin", "1980-03-04", "DUI")}},
		"an equal birth date needs no offense":   {born: "1980-03-04", offenses: []string{"BURGLARY"}, stays: []match.Stay{stay("Abernethy, Quentin", "1980-03-04", "DUI")}, want: []match.Confidence{match.High}},
		"a near birth date does not corroborate": {born: "1980-04-03", offenses: []string{"BURGLARY"}, stays: []match.Stay{stay("Abernethy, Quentin", "1980-03-04", "BURGLARY")}, want: []match.Confidence{match.Low}},
		"a year does not corroborate":            {born: "1980", offenses: []string{"BURGLARY"}, stays: []match.Stay{stay("Abernethy, Quentin", "1980-03-04", "BURGLARY")}, want: []match.Confidence{match.Low}},
		"a conflicting birth date vetoes":        {born: "1961-07-30", offenses: []string{"BURGLARY"}, stays: []match.Stay{stay("Abernethy, Quentin", "1980-03-04", "BURGLARY")}},
		"the booking number corroborates":        {booking: "b2026-0077", stays: []match.Stay{stay("Abernethy, Quentin", "", "DUI")}, want: []match.Confidence{match.High}},
		"not against the birth date":             {born: "1961-07-30", booking: "B2026-0077", stays: []match.Stay{stay("Abernethy, Quentin", "1980-03-04", "DUI")}},
		"not against the name":                   {booking: "B2026-0077", stays: []match.Stay{stay("Abernethy, Zola", "", "DUI")}},
		"a short number says nothing":            {booking: "121", stays: []match.Stay{stay("Abernethy, Quentin", "", "DUI")}},
		"two people make no link": {offenses: []string{"BURGLARY"}, stays: []match.Stay{
			stay("Abernethy, Quentin", "1980-03-04", "BURGLARY"), stay("Abernethy, Quentin", "1961-07-30", "BURGLARY"),
		}},
		"two stays of one person are two links": {offenses: []string{"BURGLARY"}, stays: []match.Stay{
			stay("Abernethy, Quentin", "1980-03-04", "BURGLARY"), stay("ABERNETHY, QUENTIN E", "1980-03-04", "BURGLARY 2ND"),
		}, want: []match.Confidence{match.Low, match.Low}},
		"a birth date tells two people apart": {born: "1980-03-04", stays: []match.Stay{stay("Abernethy, Quentin", "1980-03-04"), stay("Abernethy, Quentin", "1961-07-30")}, want: []match.Confidence{match.High}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			links := match.LinkCase(&match.Case{Name: match.Parse("QUENTIN ABERNETHY"), Born: match.ParseBirth(c.born), Offenses: c.offenses, Booking: c.booking}, c.stays)
			var got []match.Confidence
			for _, k := range links {
				got = append(got, k.Confidence)
				require.Contains(t, k.Reasons, "same county")
			}
			require.Equal(t, c.want, got)
		})
	}
}

func TestFrequentNamesDoNotLinkByOffense(t *testing.T) {
	t.Parallel()
	c := match.Case{Name: match.Parse("JAMES SMITH"), Offenses: []string{"DUI"}}
	require.Empty(t, match.LinkCase(&c, []match.Stay{stay("Smith, James", "", "DUI - LESS SAFE")}))
}

func TestOffensesAreReadThroughTheirWording(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		court, jail string
		want        bool
	}{
		"the same words":                  {"THEFT BY TAKING", "Theft By Taking - Felony", true},
		"abbreviations":                   {"AGGRAVATED ASSAULT", "AGG ASSLT", true},
		"words cut off":                   {"POSSESSION OF METHAMPHETAMINE", "POSS OF METHAMPHET", true},
		"another substance":               {"POSSESSION OF COCAINE", "POSSESSION OF MARIJUANA", false},
		"another theft":                   {"THEFT BY TAKING", "THEFT BY SHOPLIFTING", false},
		"nothing but plain words":         {"FELONY COUNT 1", "FELONY COUNT 2", false},
		"one section, worded differently": {"16-5-23.1 BATTERY", "FAMILY VIOLENCE 16-5-23.1", true},
		"nothing":                         {"", "DUI", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := match.LinkCase(&match.Case{Name: match.Parse("QUENTIN ABERNETHY"), Offenses: []string{c.court}}, []match.Stay{stay("Quentin Abernethy", "", c.jail)})
			require.Equal(t, c.want, len(k) == 1)
		})
	}
}

func TestRecordsForCasesAreLowUnlessTheBirthDateIsEqual(t *testing.T) {
	t.Parallel()
	records := []match.Record{record("r", "ABERNETHY, QUENTIN ELIAS", "1980-03-04")}
	for born, want := range map[string]match.Confidence{"1980-03-04": match.High, "1980-04-03": match.Low, "1980": match.Low, "": match.Low, "1961-07-30": match.NoLink} {
		k := match.BestForCase(&match.Case{Name: match.Parse("Quentin E Abernethy"), Born: match.ParseBirth(born)}, records, 500_000)
		require.Equal(t, want, k.Confidence, born)
	}
}
