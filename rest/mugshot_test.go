package rest_test

import (
	"net/http"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/internal/testdb"
	"rollcall/photo/vault"
)

// album sends the number of a booking and the size in place of a picture.
type album struct{}

func (album) Send(w http.ResponseWriter, _ *http.Request, rid int64, size vault.Size) error {
	w.Header().Set("Content-Type", "image/jpeg")
	_, err := w.Write([]byte(strconv.FormatInt(rid, 10) + " " + string(size)))
	return err
}

func TestMugshotURLLeadsToThePhotograph(t *testing.T) {
	t.Parallel()
	b := setup(t, testdb.Booking{ID: "fulton-2026-000001", Name: "MOONSAIL, ORLA", Photo: true}, testdb.Booking{ID: "fulton-2026-000002", Name: "TOLLIVER, ASH", Withheld: "juvenile", Photo: true})
	require.Contains(t, b.get(t, "/roster/fulton-2026-000001").body, `"mugshot_url":"`+baseURL+`/roster/fulton-2026-000001/mugshot"`)
	for path, want := range map[string]string{
		"/roster/fulton-2026-000001/mugshot": "large", "/roster/fulton-2026-000001/mugshot/": "large", "/roster/fulton-2026-000001/mugshot?size=small": "small",
	} {
		r := b.get(t, path)
		require.Equal(t, http.StatusOK, r.status, r.body)
		require.Contains(t, r.body, want)
		require.Equal(t, "image/jpeg", r.head.Get("Content-Type"))
	}
	require.Equal(t, http.StatusBadRequest, b.get(t, "/roster/fulton-2026-000001/mugshot?size=huge").status)
	require.Equal(t, http.StatusNotFound, b.get(t, "/roster/fulton-2026-000002/mugshot").status, "a withheld booking")
	require.Equal(t, http.StatusNotFound, b.get(t, "/roster/fulton-2026-000009/mugshot").status)
	require.Equal(t, http.StatusNotFound, b.get(t, "/roster//mugshot?size=huge").status, "an address without an id is none")
}
