package models_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

func TestABirthIsReadAsPeopleTypeIt(t *testing.T) {
	t.Parallel()
	day := func(y int, m time.Month, d int) models.TypedBirth {
		return models.TypedBirth{Day: &models.Date{Year: y, Month: m, Day: d}}
	}
	for text, want := range map[string]models.TypedBirth{
		"": {}, "  ": {},
		"1995-10-28": day(1995, time.October, 28), "10/28/1995": day(1995, time.October, 28), "3/4/1990": day(1990, time.March, 4),
		"03-04-1990": day(1990, time.March, 4), "3.4.1990": day(1990, time.March, 4), "Oct 10, 1995": day(1995, time.October, 10),
		"october  10 1995": day(1995, time.October, 10), "10 Oct 1995": day(1995, time.October, 10),
		"1995": {Year: new(1995)}, "34": {Age: new(34)}, "59": {Age: new(59)}, "age 34": {Age: new(34)}, "Aged 95": {Age: new(95)},
		"34 years old": {Age: new(34)}, "95 años": {Age: new(95)}, "130": {Age: new(130)},
	} {
		got, err := models.ReadBirth(text)
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
		if got.Day != nil {
			again, err := models.ReadBirth(got.Day.AsTyped())
			require.NoError(t, err, text)
			require.Equal(t, got, again, text)
		}
	}
	for text, says := range map[string]string{
		"95": "write 1995 for a year of birth, or “aged 95” for an age", "60": "write 1960 for a year of birth, or “aged 60” for an age",
		"05": "write 2005 for a year of birth, or “aged 5” for an age", "2/31/2001": "there is no such day", "28/10/1995": "there is no such day",
		"1990-13-45": "there is no such day", "spring": "write a birth date such as 10/28/1995", "10/28": "write a birth date",
		"5/6/85": "write the year with four digits", "05-06-85": "write the year with four digits",
	} {
		_, err := models.ReadBirth(text)
		require.ErrorContains(t, err, says, text)
		require.Equal(t, models.CodeInvalidRequest, models.CodeOf(err), text)
	}
}
