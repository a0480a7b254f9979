package claim_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models"
	"rollcall/resolve"
	"rollcall/resolve/court"
)

// The database finds whom a court's birth concerns, and Go decides: both must draw the line on the same day.
func TestTheDatabaseAndGoAgreeWhoIsAMinor(t *testing.T) {
	t.Parallel()
	b := setup(t)
	both := map[bool]int{}
	for _, of := range []string{"2024-02-28", "2024-02-29", "2024-03-01", "2025-02-28", "2025-03-01", "2025-12-31", "2026-01-01"} {
		day, err := models.ParseDate(of)
		require.NoError(t, err)
		for offset := -3; offset <= 3; offset++ {
			born := models.DateOf(day.In(models.Georgia).AddDate(-models.AdultAge, 0, offset))
			want := resolve.Minor(born, day)
			both[want]++
			require.Equal(t, want, b.text(t, `select minor_on($1::date, $2::date, null)::text`, day.String(), born.String()) == "true", "born on %s, %s", born, day)
		}
		for _, years := range []int{models.AdultAge - 1, models.AdultAge, models.AdultAge + 1} {
			require.Equal(t, years <= models.AdultAge, b.text(t, `select minor_on($1::date, null, $2::int::smallint)::text`, day.String(), day.Year-years) == "true",
				"in the year in which somebody becomes %d", years)
		}
	}
	require.Positive(t, both[true]*both[false])
}

// The database finds the bookings that a case concerns, and Go decides which locks a run of its court takes.
func TestTheDatabaseAndGoAgreeWhoWasAMinorBeforeACase(t *testing.T) {
	t.Parallel()
	b := setup(t)
	both := map[bool]int{}
	agree := func(filed models.Date, dob *models.Date, year int) {
		var day, born any
		if filed != (models.Date{}) {
			day = filed.String()
		}
		if dob != nil {
			born = dob.String()
		}
		want := court.MinorBefore(filed, dob, int16(year))
		both[want]++
		got := b.text(t, `select minor_before($1::date, $1::date is null, $2::date, nullif($3::int, 0)::smallint)::text`, day, born, year)
		require.Equal(t, want, got == "true", "filed %v, born %v %d", day, born, year)
	}
	for _, of := range []string{"2024-02-28", "2024-02-29", "2024-03-01", "2025-02-28", "2026-01-01"} {
		filed, err := models.ParseDate(of)
		require.NoError(t, err)
		for offset := -3; offset <= 3; offset++ {
			born := models.DateOf(filed.In(models.Georgia).AddDate(-models.AdultAge-2, 0, offset))
			agree(filed, &born, born.Year)
		}
		for years := models.AdultAge + 1; years <= models.AdultAge+3; years++ {
			agree(filed, nil, filed.Year-years)
		}
		agree(filed, nil, 0)
	}
	agree(models.Date{}, nil, 1950)
	agree(models.Date{}, nil, 0)
	require.Positive(t, both[true]*both[false])
}
