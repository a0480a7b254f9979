package models_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

// some counties, of which a few are easily taken for one another.
func someCounties() *models.Counties {
	of := func(id int16, slug, name, fips string) *models.County {
		return &models.County{ID: id, Slug: slug, Name: name, FIPS: fips}
	}
	return models.CountiesOf([]*models.County{
		of(17, "ben-hill", "Ben Hill", "13017"), of(21, "bibb", "Bibb", "13021"), of(53, "chattahoochee", "Chattahoochee", "13053"), of(59, "clarke", "Clarke", "13059"),
		of(63, "clayton", "Clayton", "13063"), of(73, "columbia", "Columbia", "13073"), of(89, "dekalb", "DeKalb", "13089"), of(121, "fulton", "Fulton", "13121"),
		of(161, "jeff-davis", "Jeff Davis", "13161"), of(189, "mcduffie", "McDuffie", "13189"), of(193, "macon", "Macon", "13193"),
		of(215, "muscogee", "Muscogee", "13215"), of(239, "quitman", "Quitman", "13239"), of(245, "richmond", "Richmond", "13245"),
	})
}

func TestCountiesAreFoundByEverySpellingOfFeeds(t *testing.T) {
	t.Parallel()
	c := someCounties()
	for text, want := range map[string]string{
		"fulton": "fulton", "FULTON": "fulton", "Fulton County": "fulton", "Fulton County, GA": "fulton", " fulton co. ": "fulton", "13121": "fulton",
		"DeKalb": "dekalb", "De Kalb": "dekalb", "DeKalb Co.": "dekalb", "DE KALB COUNTY GEORGIA": "dekalb",
		"Mc Duffie": "mcduffie", "ben_hill": "ben-hill", "Ben-Hill": "ben-hill", "Jeff_Davis": "jeff-davis",
		"athens-clarke": "clarke", "Athens Clarke County": "clarke", "augusta-richmond": "richmond", "columbus-muscogee": "muscogee",
		"cusseta-chattahoochee": "chattahoochee", "georgetown-quitman": "quitman",
		"macon-bibb": "bibb", "Macon": "macon", // another county than Macon-Bibb
	} {
		got := c.Find(text)
		require.NotNil(t, got, text)
		require.Equal(t, want, got.Slug, text)
	}
	for _, text := range []string{"", "County", "GA", "athens", "121", "13122", "fultn", "ful ton x", "clarke-athens"} {
		require.Nil(t, c.Find(text), text)
	}
}

func TestATypoInACountyIsAnErrorThatNamesTheNearestOne(t *testing.T) {
	t.Parallel()
	c := someCounties()
	for text, want := range map[string]string{
		"fultn":          `county "fultn" is not a county slug of Georgia; did you mean "fulton"? see /v1/counties for all of them`,
		"Musocgee":       `county "Musocgee" is not a county slug of Georgia; did you mean "muscogee"? see /v1/counties for all of them`,
		"augusta-richmd": `county "augusta-richmd" is not a county slug of Georgia; did you mean "richmond"? see /v1/counties for all of them`,
		"wonderland":     `county "wonderland" is not a county slug of Georgia; see /v1/counties for all of them`,
		"ba":             `county "ba" is not a county slug of Georgia; see /v1/counties for all of them`,
	} {
		_, err := c.BySlug(text)
		require.EqualError(t, err, want)
		require.Equal(t, models.CodeInvalidParameter, models.CodeOf(err))
	}
}

// Comparing a text with every spelling takes time that grows with its length, so a long one is refused unread.
func TestALongTextIsNoCountyAndIsNotCompared(t *testing.T) {
	t.Parallel()
	_, err := someCounties().BySlug(strings.Repeat("x", 1<<20))
	require.EqualError(t, err, "county is longer than any on record")
}
