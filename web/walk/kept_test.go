package walk

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

func keepsWhatWasTyped(t *testing.T, w *walk) {
	t.Helper()
	w.visit("/alerts/new")
	w.write("#note", evil)
	w.write("#name", "Smith")
	w.until(`document.querySelector("#preview").textContent.includes("No preview yet")`)
	_, err := chromedp.Call(w.ctx, network.ClearBrowserCookies, cdp.Empty{})
	require.NoError(t, err)
	w.do(chromedp.KeyEvent(" Moonsail"))
	w.until(`location.pathname === "/sign-in"`)
	w.settled()
	require.Contains(t, w.text(), "Your session has ended")
	w.accessible()
	w.forget() // Chromium notes the status 401 itself
	w.visit(w.door)
	w.visit("/alerts/new")
	require.Equal(t, "Smith Moonsail", eval[string](w.tab, `document.querySelector("#name").value`))
	require.Equal(t, evil, eval[string](w.tab, `document.querySelector("#note").value`))
	w.visit("/alerts/new")
	require.Empty(t, eval[string](w.tab, `document.querySelector("#note").value`), "once")

	t.Log("a record's page and an empty search lead to an alert with what is known of the person")
	w.visit("/search?q=Wren+Moonsail")
	w.tabTo("a[href^='/search/alert']")
	w.press(kb.Enter, `location.pathname === "/alerts/new"`)
	require.Equal(t, "Wren Moonsail", eval[string](w.tab, `document.querySelector("#name").value`))
	var booked struct {
		Roster struct {
			Records []struct {
				ID, Name string
				Dob      *string
			}
		}
	}
	w.ask(`{ roster(limit: 1) { records { id name dob } } }`, &booked)
	one := booked.Roster.Records[0]
	w.visit("/roster/" + one.ID)
	w.tabTo("a[href^='/alerts/new']")
	w.press(kb.Enter, `document.querySelector("#preview .hit")`)
	require.Equal(t, strings.ToLower(one.Name), strings.ToLower(eval[string](w.tab, `document.querySelector("#name").value`)))
	if one.Dob != nil {
		require.Contains(t, w.text(), "name and birth agree, ", "a birth date was compared")
	}
}
