package search

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

func TestResultsSayWhatTheyDoNotKnow(t *testing.T) {
	t.Parallel()
	fulton, hall := &models.County{ID: 1, Slug: "fulton", Name: "Fulton"}, &models.County{ID: 2, Slug: "hall", Name: "Hall"}
	echols := &models.County{ID: 3, Slug: "echols", Name: "Echols"}
	counties := models.CountiesOf([]*models.County{fulton, hall, echols})
	read, old := noon.Add(-time.Minute), noon.Add(-10*time.Hour)
	jail := func(id string, county *models.County, success *time.Time) *models.Source {
		s := &models.Source{ID: id, Title: id, Kind: "roster", County: county, Enabled: true, Interval: time.Hour, LastAttempt: success, LastSuccess: success}
		s.Assess(counties, noon)
		return s
	}
	court := &models.Source{ID: "court", Kind: "courts", County: echols, Enabled: true}
	court.Assess(counties, noon)
	retired := jail("old", echols, &old)
	retired.RetiredAt = &old
	all := models.Sources{Counties: counties, All: []*models.Source{jail("a", fulton, &read), jail("b", hall, &old), jail("c", nil, nil), court, retired}}
	says := func(query string) []lack { return lacking(asks(t, query), all, noon) }

	require.Empty(t, says("q=smith&county=fulton"), "it is current")
	require.Equal(t, "Echols", says("q=smith&county=echols")[0].Uncovered, "a court and a jail that was retired report nobody in it")
	late := says("q=smith&county=hall")
	require.Equal(t, "Hall County", late[0].County.String())
	require.Equal(t, old, late[0].States[0].At)
	behind := says("q=smith")
	require.Len(t, behind, 1)
	require.Equal(t, []string{"Hall", "c"}, []string{behind[0].States[0].Place, behind[0].States[1].Place}, "a source without counties by its title")
	require.True(t, behind[0].States[1].Never)
	for _, query := range []string{"q=smith&status=WARRANT", "q=26-CR-1", "q=smith&more=courts&after=x"} {
		require.Empty(t, says(query), query)
	}
}
