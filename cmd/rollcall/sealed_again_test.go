package main

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/models"
)

// counts proves that no figure counts whom the public does not see.
func (v *vault) counts() {
	t := v.t
	t.Helper()
	seen := v.asked(`{ roster(filter: {county: "ware"}) { total } courts { total } corrections { total } countyStats(county: "ware") { population withBond released days { bookings } } alerts { alerts { id hitCount } } }`)
	total := func(list string) any {
		page, isObject := seen[list].(map[string]any)
		require.True(t, isObject)
		return page["total"]
	}
	require.Equal(t, []any{1.0, 1.0, 1.0}, []any{total("roster"), total("courts"), total("corrections")})
	stats, isObject := seen["countyStats"].(map[string]any)
	require.True(t, isObject)
	require.Equal(t, []any{1.0, 1.0, 0.0}, []any{stats["population"], stats["withBond"], stats["released"]})
	booked := 0.0
	days, isList := stats["days"].([]any)
	require.True(t, isList)
	for _, d := range days {
		day, isObject := d.(map[string]any)
		require.True(t, isObject)
		n, isNumber := day["bookings"].(float64)
		require.True(t, isNumber)
		booked += n
	}
	require.InDelta(t, 1, booked, 0)
}

// replays brings what was read before everything was hidden: as late files, and out of the archive.
func (v *vault) replays() {
	v.t.Helper()
	jail, court, prison := v.snapshots("", 7319)
	for id, f := range map[string][2]string{"sealed-jail": {"jail.csv", jail}, "sealed-court": {"cases.json", court}, "sealed-prison": {"prison.csv", prison}} {
		v.keeps("ingest", "--source", id, "--file", v.file(f[0], f[1]), "--at", v.booked.Add(time.Hour).UTC().Format(time.RFC3339), "--json")
	}
	for run := 1; run <= 6; run++ {
		v.keeps("ingest", "replay", "--run", strconv.Itoa(run), "--json")
	}
}

// keeps runs a command that may find nothing to do, and keeps what it says.
func (v *vault) keeps(args ...string) {
	v.t.Helper()
	_, out := v.Run(args...)
	v.said.WriteString(strings.Join(args, " ") + ": " + out + v.Stderr + "\n")
}

// imports takes over what a system before had of the same people: under the same ids, and of the booking and the case under
// others too.
func (v *vault) imports() {
	t := v.t
	t.Helper()
	at := v.booked.In(models.Georgia).Format(time.RFC3339)
	v.file("before/roster/ware.csv", "id,name,dob,county,booking_date,release_date,charges,bond_amount,status\n"+
		v.booking+",\"ZZYGLOOM, PERPETUA SENTINEL\",,Ware,"+at+",,MISCHIEF SENTINEL,7319.77,booked\n"+
		"ware-old-1,\"ZZYGLOOM, PERPETUA SENTINEL\",,Ware,"+at+",,MISCHIEF SENTINEL,7319.77,booked\n")
	v.file("before/corrections.csv", "gdc_id,name,dob,category,institution,sentence,status,release_date,parole_end_date\n"+
		v.offender+",\"QUILLFEATHER, IDA SENTINEL\",,offender,SENTINEL STATE PRISON,7 YEARS SENTINEL,incarcerated,,\n")
	v.file("before/links.csv", "roster_id,gdc_id,confidence,mugshot_match\n"+v.booking+","+v.offender+",high,true\n"+v.bystander+","+v.offender+",high,true\nware-old-1,9000002,high,true\n")
	var lines strings.Builder
	for _, number := range []string{v.number, "26-SENTINEL-2", "26-SENTINEL-3"} {
		fmt.Fprintf(&lines, `{"case_number":%q,"defendant":"ZZYGLOOM, PERPETUA SENTINEL","offense":"LARCENY SENTINEL","court_type":"State","county":"Ware","filed_date":%q,"status":"pending","judge":null,"next_hearing":null,"hearing_link":null,"hearings":[],"dispositions":[]}`+"\n",
			number, v.booked.In(models.Georgia).Format("2006-01-02"))
	}
	v.file("before/courts.jsonl", lines.String())
	v.keeps("import", filepath.Join(v.Data, "before"), "--json")
	require.Contains(t, v.said.String(), `"withheld": 1`, "the booking under another id is one that may be a juvenile's")
}
