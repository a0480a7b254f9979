package rest_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAPreviewSaysWhatAYearBringsWhenAsked(t *testing.T) {
	t.Parallel()
	b := setup(t, sample()...)
	_, err := b.db.Pool.Exec(t.Context(), `update bookings set first_seen = '2019-01-01T00:00:00Z'`)
	require.NoError(t, err)
	answer := func(body string) string { return b.send(t, http.MethodPost, "/alerts/preview", body).body }
	require.Contains(t, answer(`{"name": "Doe, Jane", "year": true}`),
		`"year":{"bookings":1,"by_name":1,"by_variant":0,"days":365,"counties_later":0,"estimate":null,"counties_covered":0,"narrowings":[]}`)
	for body, says := range map[string]bool{
		`{"name": "Doe, Jane", "year": true, "dob": "1990-05-17"}`: true, `{"name": "Doe", "birth_year": 1990, "year": true}`: false, `{"name": "Doe, Jane"}`: false,
	} {
		require.Equal(t, says, strings.Contains(answer(body), `"wrong_per_year":`), body)
	}
	for _, legacy := range []string{`{"name": "Doe, Jane"}`, `{"name": "Doe, Jane", "year": false}`, `{"name": "Doe, Jane", "year": null}`} {
		require.NotContains(t, answer(legacy), `"year"`)
	}
}
