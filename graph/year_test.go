package graph_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/internal/testdb"
)

// yearOf is what a preview says of a year.
type yearOf struct {
	Bookings, ByName, ByVariant, Days, CountiesLater, CountiesCovered int

	Estimate   *int
	Narrowings []struct {
		By       string
		County   *struct{ Slug string }
		Bookings int
	}
}

// year asks for a watcher of these arguments.
func (b *bundle) year(t *testing.T, arguments string) yearOf {
	t.Helper()
	var v struct{ PreviewAlert struct{ Year yearOf } }
	require.NoError(t, json.Unmarshal([]byte(b.data(t, `{ previewAlert(`+arguments+`) { year {
		bookings byName byVariant days countiesLater estimate countiesCovered narrowings { by county { slug } bookings } } } }`, nil)), &v))
	return v.PreviewAlert.Year
}

// smiths are the bookings of a known world: 12 of JAMES SMITH in Fulton and 6 in Dade, half of them with a birth, a third
// with a middle name; 5 of other ways to write it; and people who are not meant.
func smiths() (world []any) {
	add := func(name, county, born string) {
		at := fmt.Sprintf("2025-%02d-10T12:00:00Z", 4+len(world)%9)
		world = append(world, testdb.Booking{ID: fmt.Sprintf("%s-2025-%06d", county, len(world)+1), Name: name, County: county, DOB: born, At: at})
	}
	for i := range 18 {
		county, born, name := "fulton", "", "SMITH, JAMES"
		if i%3 == 0 {
			county, name = "dade", "SMITH, JAMES "+[]string{"WENDELL", "OTIS"}[i/3%2]
		}
		if i%2 == 0 {
			born = fmt.Sprintf("%d-%02d-%02d", 1950+3*i, 1+i%12, 9+i)
		}
		add(name, county, born)
	}
	for _, name := range []string{"SMITH, JIM", "SMITH, JIMMY", "SMYTH, JAMES", "SMITH, JAMSE", "SMITH, JIMMIE"} {
		add(name, "fulton", "")
	}
	add("SMITH, ORTRUD", "fulton", "")
	add("JONES, JAMES", "dade", "")
	return world
}

func TestAPreviewSaysWhatAYearBringsAndWhatNarrowsIt(t *testing.T) {
	t.Parallel()
	old := testdb.Booking{ID: "fulton-2025-000900", Name: "SMITH, JAMES", At: "2025-03-09T12:00:00Z"}
	hidden := testdb.Booking{ID: "fulton-2025-000901", Name: "SMITH, JAMES", At: "2025-09-09T12:00:00Z", Withheld: "restricted"}
	b := setup(t, nil, append(smiths(), old, hidden)...)
	exec := func(sql string) {
		t.Helper()
		_, err := b.db.Pool.Exec(t.Context(), sql)
		require.NoError(t, err)
	}
	exec(`update bookings set first_seen = '2024-01-01T00:00:00Z'`)
	exec(`insert into sources (id, title, kind, county_id, enabled) select 'jail-' || slug, name, 'roster', id, slug <> 'cobb' from counties where slug in ('fulton', 'cobb')`)

	y := b.year(t, `name: "James Smith"`)
	require.Equal(t, []int{23, 18, 5, 365, 0}, []int{y.Bookings, y.ByName, y.ByVariant, y.Days, y.CountiesLater}, "older and withheld bookings are not counted")
	require.Nil(t, y.Estimate, "a whole year needs no estimate")
	require.Equal(t, 1, y.CountiesCovered, "whose source runs")
	left := map[string]int{}
	for i, n := range y.Narrowings {
		left[n.By] = n.Bookings
		require.True(t, i == 0 || y.Narrowings[i-1].Bookings <= n.Bookings)
		require.Equal(t, n.By == "COUNTY", n.County != nil && n.County.Slug == "fulton")
	}
	require.Equal(t, map[string]int{"COUNTY": 17, "BIRTH_YEAR": 15, "BIRTH_DATE": 15, "MIDDLE_NAME": 20}, left,
		"twelve and five in Fulton; one year and fourteen of unknown birth; three Otises and seventeen without a middle name")
	require.Equal(t, 17, b.year(t, `name: "James Smith", county: "fulton"`).Bookings)
	require.Equal(t, 15, b.year(t, `name: "James Smith", birthYear: 1956`).Bookings)
	require.Equal(t, 20, b.year(t, `name: "James Otis Smith"`).Bookings)
	require.Equal(t, 18, b.year(t, `name: "James Smith", level: STRICT`).ByName)
	require.Zero(t, b.year(t, `name: "James Smith", county: "echols"`).CountiesCovered, "nobody covers it")
	require.Zero(t, b.year(t, `name: "James Smith", county: "cobb"`).CountiesCovered, "nobody does any more")

	t.Log("a jail that is read for 73 days says little of a year")
	exec(`update bookings set first_seen = greatest(booked_at, timestamptz '2026-03-10T15:00:00Z' - interval '73 days')`)
	y = b.year(t, `name: "James Smith"`)
	require.Equal(t, []int{23, 73}, []int{y.Bookings, y.Days}, "those from before are counted as far as they are known")
	require.Equal(t, new(0), y.Estimate, "none of them was booked in the days that are known")
	exec(`update bookings set booked_at = timestamptz '2026-03-09T12:00:00Z' where name = 'SMITH, JIM'`)
	require.Equal(t, new(5), b.year(t, `name: "James Smith"`).Estimate, "one in a fifth of a year")
}

// Each preview compares a name with a month of bookings, so one request asks for one.
func TestARequestHoldsOnePreview(t *testing.T) {
	t.Parallel()
	b := setup(t, nil, linked(1)...)
	const preview = `previewAlert(name: "Tess Marlowe") { expectedPer30Days hits { id probability at verdict reasons record { id name bookingDate county { name } } } year { bookings } }`
	require.NotContains(t, b.data(t, "{ "+preview+" }", nil), "LIMIT_EXCEEDED")
	a := b.post(t, "{ "+preview+" other: "+preview+" }", nil)
	require.Equal(t, "LIMIT_EXCEEDED", a.code(t))
	a = b.post(t, `{ a: previewAlert(name: "Tess Marlowe") { people year { bookings } } previewAlert(name: "Ida Stormcrow") { people } usage { limit } }`, nil)
	require.Equal(t, "LIMIT_EXCEEDED", a.code(t))
	require.Equal(t, "the operation has 140007 values to fetch (records times fields); the limit is 120000: a (previewAlert) costs 80003, previewAlert costs 60002, usage costs 2; "+
		"previewAlert and importAlerts cost 60001 each and more with what is asked of them, so send one of them in a request", a.Errors[0].Message)
}
