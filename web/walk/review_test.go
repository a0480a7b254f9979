package walk

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

// TestAnOperatorReviewsWithheldRecordsInABrowser decides by keyboard alone about people who came through the ingest.
func TestAnOperatorReviewsWithheldRecordsInABrowser(t *testing.T) {
	t.Parallel()
	chromium(t)
	x := newTerminal(t)
	write := func(name, text string) string {
		path := filepath.Join(t.TempDir(), name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	for _, name := range []string{"my-county.yaml", "my-department.yaml"} {
		x.OK("sources", "enable", filepath.Join("..", "..", "cmd", "rollcall", "testdata", name))
	}
	x.OK("ingest", "--source", "my-county", "--at", "2026-03-02T12:00:00Z", "--file", write("roster.csv", "id,name,born,booked,bond\n"+
		"K1,\"MOONSAIL, WREN "+markup+"\",2009,2026-03-01 10:00,$100.00\nK2,\"QUILLFEATHER, ORLA\",2009,2026-03-01 11:00,\n"))
	const records = "id,name,born,status\n1,\"DOE, JANE\",1980,ACTIVE\n"
	x.OK("ingest", "--source", "my-department", "--at", "2026-03-01T12:00:00Z", "--file", write("records.csv", records+"2,\"ROE, RAY\",1981,ACTIVE\n#END\n"))
	x.OK("ingest", "--source", "my-department", "--at", "2026-03-02T12:00:00Z", "--file", write("records.csv", records+"#END\n"))

	root, door := x.Serve("Desk")
	b := newTab(t, root)
	b.joins(door)
	b.visit("/operator/review")
	require.Contains(t, b.text(), "Waiting (3)")
	require.NotContains(t, b.text(), "MOONSAIL")
	b.soundly()
	b.tabTo("main .head form button")
	b.enters(kb.Enter)
	require.Contains(t, b.text(), "MOONSAIL, WREN "+markup)
	require.Contains(t, b.text(), "newest complete file no longer has this record")
	b.soundly()
	b.photographed("review-names")

	t.Log("grounds are asked for, then the record is published")
	const young = ".list li:has(input[value='ware-2026-000001']) "
	b.opens(young+"details.confirm summary", young+"details[open] input[name=note]")
	b.accessible()
	b.do(chromedp.KeyEvent("   "))
	b.enters(kb.Enter)
	require.Contains(t, b.text(), "Write a reason")
	b.accessible()
	b.photographed("review-refused")
	b.forgive("status of 422")
	b.tabTo(young + "details[open] input[name=note]")
	b.do(chromedp.KeyEvent(strings.Repeat(kb.Backspace, 3) + "born in January, says the jail"))
	b.enters(kb.Enter)
	require.Contains(t, b.text(), "The record is published")
	require.Contains(t, b.text(), "QUILLFEATHER", "the names stay for the next one")
	b.tabTo("nav[aria-label='Records by decision'] a[href$='decided']")
	b.enters(kb.Enter)
	require.Contains(t, b.text(), "born in January, says the jail")
	b.soundly()
	b.photographed("review-decided")
	b.submit(".list a[href='/roster/ware-2026-000001']")
	require.Contains(t, b.text(), "Moonsail, Wren "+markup)
	b.clean()
}
