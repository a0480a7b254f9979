package walk

import (
	"net/url"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

const listLabel = evil + " of a list"

// importsNames takes a list from its file to alerts of a label, and changes and deletes them together.
func importsNames(t *testing.T, w *walk) {
	t.Helper()
	w.visit("/alerts/import")
	w.soundly()
	list := "name,label,birth_year\nIda Stormcrow," + listLabel + ",\nPip Thistledown," + listLabel + ",1990\nIDA STORMCROW,,\nMoonsail,,\n"
	eval[bool](w.tab, `(() => { const d = new DataTransfer(); d.items.add(new File([`+quoted(list)+`], "names.csv", { type: "text/csv" })); document.querySelector("#file").files = d.files; return true; })()`)
	w.submit("main form button")
	require.Contains(t, w.text(), "2 alerts would be created")
	require.Contains(t, w.text(), "matches everyone who has it")
	require.Contains(t, w.text(), "the same as line 2")
	w.soundly()
	w.tabTo("[name=skip]")
	w.do(chromedp.KeyEvent(" "))
	w.submit("main form button.primary")
	require.Contains(t, w.text(), "2 alerts created")
	require.Contains(t, w.text(), "Alerts labelled "+listLabel)
	w.soundly()

	t.Log("the label leads to its alerts, of which one is ticked, and all are deleted, by keyboard alone")
	w.submit(`main a[href*="label="]`)
	w.until(`document.querySelector("#h-watched")`)
	require.Contains(t, w.text(), "Labelled "+listLabel)
	require.Equal(t, 2, eval[int](w.tab, `document.querySelectorAll(".results .result").length`))
	w.soundly()
	w.tabTo("[name=id]")
	w.press(" ", `document.querySelector("#ticked").textContent === "(1 selected)"`)
	w.opens("#several > summary", "[value=pause]")
	w.soundly()
	w.enters(kb.Enter)
	require.Contains(t, w.text(), "1 alert is paused.")
	require.Equal(t, 1, eval[int](w.tab, `[...document.querySelectorAll(".results .chip")].filter(c => c.textContent === "paused").length`))
	require.Equal(t, "/alerts?label="+url.QueryEscape(listLabel), w.path(), "the address is that of the list")
	t.Log("a label without text is said at its field")
	w.opens("#several > summary", "[value=ticked]")
	w.press(kb.ArrowDown, `document.querySelectorAll("[name=id]:checked").length === 2`)
	w.tabTo("#named")
	w.enters(kb.Enter)
	require.Contains(t, w.text(), "Write the label first")
	w.forget() // Chromium notes the refusal itself
	require.True(t, eval[bool](w.tab, `document.querySelector("#named").matches("[aria-invalid=true][aria-describedby=problem]") && document.querySelectorAll("[name=id]:checked").length === 2`))
	w.soundly()
	w.tabTo("[value=delete]")
	w.enters(kb.Enter)
	require.Contains(t, w.text(), "Delete 2 alerts?")
	w.soundly()
	w.tabTo("button.danger")
	w.enters(kb.Enter)
	require.Contains(t, w.text(), "2 alerts were deleted.")
	require.Contains(t, w.text(), "No alert has this label")
	w.soundly()
	w.visit("/alerts")
	require.NotContains(t, w.text(), "Stormcrow")
}
