package match_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/match"
)

func TestALowLinkSaysWhyItIsOnlyLow(t *testing.T) {
	t.Parallel()
	const corroborated = "low confidence at most: no birth date or booking number agrees"
	person := func(name, born string) (match.Name, match.Birth) { return match.Parse(name), match.ParseBirth(born) }
	last := func(reasons []string) string { return reasons[len(reasons)-1] }

	name, none := person("ABERNETHY, QUENTIN ZEBULON", "")
	_, born := person("", "1980-03-04")
	for want, births := range map[string][2]match.Birth{
		"birth date not compared: the jail states none":                             {none, born},
		"birth date not compared: the state record states none":                     {born, none},
		"birth date not compared: neither the jail nor the state record states one": {none, none},
	} {
		b, r := &match.Booking{Name: name, Born: births[0]}, match.Record{ID: "1", Name: name, Born: births[1]}
		for _, k := range []match.Link{match.Best(b, []match.Record{r}, 0), match.NewLinker([]match.Record{r}).Link(b, true)} {
			require.Equal(t, match.Low, k.Confidence)
			require.Equal(t, want, last(k.Reasons))
		}
	}
	sure := match.Best(&match.Booking{Name: name, Born: born}, []match.Record{{ID: "1", Name: name, Born: born}}, 0)
	require.Equal(t, match.High, sure.Confidence)
	require.Equal(t, "birth date agrees", last(sure.Reasons), "a sure link has nothing to explain")

	c := &match.Case{Name: name, Offenses: []string{"BURGLARY"}}
	s := stay("Abernethy, Quentin Zebulon", "1980-03-04", "BURGLARY")
	links := match.LinkCase(c, []match.Stay{s})
	require.Equal(t, match.Low, links[0].Confidence)
	require.Equal(t, []string{"same county", "offense agrees with a charge", "birth date not compared: the court states none", corroborated}, links[0].Reasons[len(links[0].Reasons)-4:])
	require.Equal(t, links[0].Reasons, match.ExplainCase(c, &s), "the explanation gives the link's own reasons")
	k := match.BestForCase(&match.Case{Name: name, Born: match.ParseBirth("1980")}, []match.Record{{ID: "1", Name: name, Born: born}}, 0)
	require.Equal(t, match.Low, k.Confidence)
	require.Equal(t, "low confidence at most: no birth date agrees", last(k.Reasons))
}
