package rest_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

func TestMistakesInParametersAre400AndNameTheParameter(t *testing.T) {
	t.Parallel()
	b := setup(t)
	long := strings.Repeat("x", 10_000)
	cases := map[string]struct{ path, names string }{
		"a limit that is a word":                    {"/roster?limit=ten", "limit"},
		"a limit with a fraction":                   {"/courts?limit=1.5", "limit"},
		"a limit with an exponent":                  {"/courts?limit=1e2", "limit"},
		"a limit that is a blank":                   {"/corrections?limit=+", "limit"},
		"a limit over 64 bits":                      {"/roster?limit=9223372036854775808", "limit"},
		"a limit far over 64 bits":                  {"/roster?limit=" + strings.Repeat("9", 200), "limit"},
		"a limit far below 64 bits":                 {"/roster?limit=-9223372036854775809", "limit"},
		"an offset that is a word":                  {"/roster?offset=x", "offset"},
		"an offset over 64 bits":                    {"/counties?offset=18446744073709551616", "offset"},
		"an unknown county":                         {"/roster?county=fultn", "county"},
		"an unknown roster status":                  {"/roster?status=jailed", "status"},
		"the internal court status unknown":         {"/courts?status=unknown", "status"},
		"the internal custody status unknown":       {"/corrections?status=unknown", "status"},
		"a status of another family":                {"/roster?status=paroled", "status"},
		"an unknown court type":                     {"/courts?court_type=federal", "court_type"},
		"an unknown category":                       {"/corrections?category=sex+offender", "category"},
		"a day that does not exist":                 {"/roster?from_date=2026-02-29", "from_date"},
		"a day of month 13":                         {"/roster?to_date=2026-13-01", "to_date"},
		"a day without leading zeros":               {"/roster?to_date=2026-3-8", "to_date"},
		"a day with a time":                         {"/roster?from_date=2026-03-08T00:00:00Z", "from_date"},
		"a day in another order":                    {"/roster?from_date=03/08/2026", "from_date"},
		"the year 0":                                {"/roster?from_date=0000-01-01", "from_date"},
		"from_date after to_date":                   {"/roster?from_date=2026-03-09&to_date=2026-03-08", "from_date"},
		"a time without an offset":                  {"/roster?updated_since=2026-03-08T00:00:00", "updated_since"},
		"a time that is only a day":                 {"/courts?updated_since=2026-03-08", "updated_since"},
		"a time whose plus sign is not escaped":     {"/corrections?updated_since=2026-03-08T00:00:00+00:00", "updated_since"},
		"a parameter twice":                         {"/roster?status=booked&status=booked", "status"},
		"a parameter twice, one of them empty":      {"/roster?name=&name=smith", "name"},
		"a parameter twice, one name escaped":       {"/roster?name=smith&n%61me=smith", "name"},
		"a case number twice":                       {"/courts?case_number=1&case_number=1", "case_number"},
		"a name of 10 kB":                           {"/roster?name=" + long, "name"},
		"a county of 10 kB":                         {"/courts?county=" + long, "county"},
		"a number of 10 kB":                         {"/courts?case_number=" + long, "case_number"},
		"a case number of 10 kB in the path":        {"/courts/" + long, "case_number"},
		"an offender id of 10 kB":                   {"/corrections?gdc_id=" + long, "gdc_id"},
		"an offender id of 10 kB in the path":       {"/corrections/" + long, "gdc_id"},
		"a record id of 10 kB":                      {"/roster/" + long, "id"},
		"a limit of 10 kB":                          {"/roster?limit=" + long, "limit"},
		"a NUL byte in a name":                      {"/roster?name=a%00b", "name"},
		"a NUL byte in an id":                       {"/roster/a%00b", "id"},
		"a NUL byte in a case number":               {"/courts?case_number=a%00", "case_number"},
		"a NUL byte in a case number in the path":   {"/courts/a%00/b", "case_number"},
		"a NUL byte in an offender id":              {"/corrections/%00", "gdc_id"},
		"broken UTF-8 in a name":                    {"/corrections?name=%ff", "name"},
		"broken UTF-8 in an id":                     {"/roster/%c3%28", "id"},
		"broken UTF-8 in a case number in the path": {"/courts/%ff", "case_number"},
		"a surrogate in a name":                     {"/courts?name=%ed%a0%80", "name"},
		"a broken escape":                           {"/roster?name=%zz", "name"},
		"half an escape":                            {"/roster?name=100%", "name"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			r := b.get(t, c.path)
			message := r.message(t, http.StatusBadRequest, models.CodeInvalidParameter)
			require.Contains(t, message, c.names)
			require.Equal(t, c.names, r.head.Get("X-Error-Field"))
			require.Less(t, len(message), 200)
		})
	}
	require.Empty(t, b.log.String())
}

func TestBlanksAroundAValueDoNotCount(t *testing.T) {
	t.Parallel()
	b := setup(t, sample()...)
	for plain, spaced := range map[string]string{
		"/roster?county=fulton&status=released":      "/roster?county=+fulton%20&status=%20released+",
		"/roster?limit=1&from_date=2026-03-08":       "/roster?limit=+1&from_date=2026-03-08+",
		"/courts?case_number=26-CR-0417":             "/courts?case_number=%0926-CR-0417+",
		"/courts?court_type=superior":                "/courts?court_type=superior+",
		"/corrections?gdc_id=1000412":                "/corrections?gdc_id=+1000412+",
		"/corrections?name=roe":                      "/corrections?name=+roe+",
		"/roster?updated_since=2026-01-01T00:00:00Z": "/roster?updated_since=+2026-01-01t00:00:00z+",
		"/roster?from_date=2026-03-08&offset=0":      "/roster?from_date=%202026-03-08&offset=0%20",
	} {
		want := b.get(t, plain)
		require.NotZero(t, want.total(t), plain)
		require.Equal(t, want.body, b.get(t, spaced).body, spaced)
	}
	require.Zero(t, b.get(t, "/roster?name=+").total(t), "a name of blanks finds nobody, not everybody")
	b.addAlerts(t)
	r := b.send(t, http.MethodPost, "/alerts", `{"name": " Jane Doe ", "county": " fulton ", "dob": " 1990-05-17 ", "level": " wide ", "events": [" release "]}`)
	require.Equal(t, http.StatusCreated, r.status, r.body)
	r = b.send(t, http.MethodPost, "/webhooks/wh_2/replay", `{"from": " 2026-03-01t00:00:00z ", "dry_run": true}`)
	require.JSONEq(t, `{"count": 1}`, r.body)
}
