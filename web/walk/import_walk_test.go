package walk

import (
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
	require.Contains(t, w.text(), "fits everybody who has it")
	require.Contains(t, w.text(), "the same as line 2")
	w.soundly()
	w.tabTo("[name=skip]")
	w.do(chromedp.KeyEvent(" "))
	w.submit("main form button.primary")
	require.Contains(t, w.text(), "2 alerts created")
	require.Contains(t, w.text(), "Alerts labelled "+listLabel)
	w.soundly()

	t.Log("the label leads to its alerts, which are changed and deleted together")
	w.submit(`main a[href*="label="]`)
	w.until(`document.querySelector("#h-watched")`)
	require.Contains(t, w.text(), "Labelled "+listLabel)
	require.Equal(t, 2, eval[int](w.tab, `document.querySelectorAll(".results .result").length`))
	w.tabTo("#alerts details.data > summary")
	w.do(chromedp.KeyEvent(kb.Enter))
	w.soundly()
	eval[bool](w.tab, `([...document.querySelectorAll("#alerts button")].find(b => b.textContent === "Pause all").click(), true)`)
	w.until(`document.body.innerText.includes("2 alerts paused.")`)
	require.Equal(t, 2, eval[int](w.tab, `[...document.querySelectorAll(".results .chip")].filter(c => c.textContent === "paused").length`))
	eval[bool](w.tab, `(document.querySelector("#alerts details.data").open = document.querySelector("#alerts details.confirm").open = true)`)
	eval[bool](w.tab, `(document.querySelector("#alerts details.confirm button.danger").click(), true)`)
	w.until(`location.search === "" && document.querySelector("#h-watched") && !document.body.innerText.includes("Stormcrow")`)
}
