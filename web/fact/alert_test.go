package fact_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models"
	"rollcall/web/fact"
)

func TestAlertsOfOneNameAreToldApart(t *testing.T) {
	t.Parallel()
	day := models.Date{Year: 2026, Month: 11, Day: 28}
	for says, w := range map[string]*models.Watcher{
		"all of Georgia":                           {},
		"Bibb County, born 1995":                   {County: &models.County{Name: "Bibb"}, BirthYear: new(1995)},
		"all of Georgia, aged 34 on Nov 28, 2026":  {Age: new(34), AgeOn: &day},
		"all of Georgia, born Nov 28, 2026, court": {Dob: &day, Label: new("court")},
	} {
		require.Equal(t, says, fact.AlertLine(w).String())
	}
}
