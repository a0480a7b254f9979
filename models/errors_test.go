package models_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

func TestAnErrorIsSaidWithTheNamesOfItsInterface(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		err         *models.Error
		plain, said string
	}{
		"a message without names is taken as it is": {
			models.Invalid("county", `county "100%s_x" is not a county`), `county "100%s_x" is not a county`, `county "100%s_x" is not a county`,
		},
		"each name is put in its place": {
			models.Invalid("from_date", "%s must not be after %s", "from_date", "to_date"),
			"from_date must not be after to_date", "FROM_DATE must not be after TO_DATE",
		},
		"of a member of a body too": {
			models.InvalidBody("birth_year", "%s must be a year", "birth_year"), "birth_year must be a year", "BIRTH_YEAR must be a year",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.plain, c.err.Error())
			require.Equal(t, c.said, c.err.Say(strings.ToUpper))
		})
	}
}
