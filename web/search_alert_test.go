package web_test

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

func TestASearchWithANameBecomesAnAlert(t *testing.T) {
	t.Parallel()
	b := setup(t, models.Enterprise)
	b.user(b.account, "ada@example.org", models.Member, false)
	ada := b.as("ada@example.org")
	for search, want := range map[string]string{
		"q=wren+moonsail": "name=wren+moonsail",
		"q=wren+moonsail+1990&county=fulton&view=person": "name=wren+moonsail&county=fulton&born=1990",
		"q=moonsail+1990-02-03":                          "name=moonsail&born=1990-02-03",
		"q=wren+moonsail+1990+1991":                      "name=wren+moonsail&left=number",
		"q=wren+26-CR-1&status=BOOKED":                   "name=wren&left=number&left=status",
		"q=wren+moonsail&charge=theft&severity=FELONY&agency=gsp&bond_from=5&bond_to=9&age_to=40&booked_from=2026-03-01&released_to=2026-03-08": "name=wren+moonsail&left=charge&left=severity&left=agency&left=bond&left=age&left=booked&left=released",
	} {
		resp := ada.get("/search/alert?" + search)
		require.Equal(t, http.StatusSeeOther, resp.StatusCode, search)
		at, err := url.Parse(resp.Header.Get("Location"))
		require.NoError(t, err)
		expected, err := url.ParseQuery("from=search&" + want)
		require.NoError(t, err)
		require.Equal(t, "/alerts/new", at.Path)
		require.Equal(t, expected, at.Query(), search)
	}
	for _, nameless := range []string{"", "q=26-CR-1", "q=1990", "q=%2C", "county=fulton&charge=theft"} {
		require.Equal(t, http.StatusBadRequest, ada.get("/search/alert?"+nameless).StatusCode, nameless)
	}

	t.Log("saved searches lead there too, where they have a name")
	ada.post("/search/saved", "name", "Wren", "query", "q=wren+moonsail&charge=theft")
	ada.post("/search/saved", "name", "Thefts", "query", "charge=theft")
	page := text(t, ada.get("/search"))
	require.Contains(t, page, `href="/alerts/new?from=search&amp;left=charge&amp;name=wren&#43;moonsail">Create alert from saved search<span class="visually-hidden"> Wren<`)
	require.NotContains(t, page, `<span class="visually-hidden"> Thefts<`)
}
