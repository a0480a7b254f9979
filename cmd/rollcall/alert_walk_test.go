package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"github.com/stretchr/testify/require"

	"rollcall/models"
)

// evil is what a field must show as it is, and evilPath the same where no blank may be.
const (
	evil     = `<img src=x onerror=alert(1)>`
	evilPath = `<img/src=x/onerror=alert(1)>`
)

// letterbox keeps what was sent to it, and takes everything: who reads it verifies.
type letterbox struct {
	mu      sync.Mutex
	letters []letter
}

type letter struct {
	header http.Header
	body   []byte
}

// ServeHTTP takes a delivery.
func (l *letterbox) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.letters = append(l.letters, letter{header: r.Header, body: body})
}

// last is the letter that came last.
func (l *letterbox) last(t *testing.T) letter {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	require.NotEmpty(t, l.letters)
	return l.letters[len(l.letters)-1]
}

// signedWith proves a letter by a plain HMAC, and by an independent library.
func (l letter) signedWith(t *testing.T, header, secret string) {
	t.Helper()
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(l.body)
	require.Equal(t, hex.EncodeToString(mac.Sum(nil)), l.header.Get(header))
	library, err := standardwebhooks.NewWebhook(secret)
	require.NoError(t, err)
	require.NoError(t, library.Verify(l.body, l.header))
}

// walk is a demo whose account gets a webhook, an alert and events, all by its pages.
type walk struct {
	*tab
	t       *testing.T
	getenv  func(string) string
	wire    *cutter
	letters *letterbox
	hookURL string
	secret  string
	alert   string // path of its page
	jail    field
	booked  time.Time // when the watched person was
}

// TestAlertsInABrowser walks from the first webhook to its deleted alert, in Chromium, against a demo, a real receiver over TLS
// and a change that comes through the ingest. It runs by itself: a browser needs the machine.
func TestAlertsInABrowser(t *testing.T) {
	chromium(t)
	cert, err := newLocalCert(time.Now())
	require.NoError(t, err)
	caFile := filepath.Join(t.TempDir(), "ca.pem")
	require.NoError(t, writeFile(caFile, cert.pem()))
	base := environment(t)
	w := &walk{t: t, letters: &letterbox{}, jail: field{t: t, dir: t.TempDir()}, booked: time.Now().Add(-3 * time.Hour)}
	w.getenv = func(name string) string {
		switch name {
		case "ROLLCALL_WEBHOOK_CA_FILE":
			return caFile
		case "ROLLCALL_WEBHOOK_ALLOW":
			return "127.0.0.1"
		}
		return base(name)
	}
	receiver := httptest.NewUnstartedServer(w.letters)
	receiver.TLS = cert.server()
	receiver.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelDebug)
	receiver.StartTLS()
	t.Cleanup(receiver.Close)
	w.hookURL = receiver.URL + "/" + evilPath

	demo := start(t, w.getenv, "demo", "--port", "0", "--pace", "1h")
	door := doorPattern.FindStringSubmatch(demo.stdout.await(t, "Ctrl-C stops", demo.ended))[1]
	defer demo.stop(t)
	root, path, _ := strings.Cut(door, "/enter/")
	w.wire = newCutter(t, strings.TrimPrefix(root, "http://"))
	w.tab = newTab(t, "http://"+w.wire.address())
	w.visit("/enter/" + path)
	for _, step := range []struct {
		name string
		run  func(*testing.T, *walk)
	}{
		{"a webhook is registered by keyboard, and its test arrives, signed", registersAWebhook},
		{"an alert is created by keyboard, after its preview", createsAnAlert},
		{"a delivery appears live, and is the verified one", seesADeliveryAppear},
		{"the live page goes on after a lost connection without a gap", followsLive},
		{"many open tabs share one stream", sharesAStream},
		{"a hit is explained, confirmed and dismissed", judgesAHit},
		{"the secret is replaced in two phases", replacesTheSecret},
		{"a webhook that fails says so, and is paused and deleted", stopsAWebhook},
		{"an alert is changed, paused and deleted by keyboard", stopsAnAlert},
	} {
		if !t.Run(step.name, func(t *testing.T) {
			w.t, w.tab.t, w.jail.t = t, t, t
			step.run(t, w)
			w.clean()
		}) {
			break // each begins where the one before ended
		}
	}
}

// write types into a field.
func (w *walk) write(selector, text string) {
	w.t.Helper()
	w.do(chromedp.Focus(chromedp.CSS(selector)), chromedp.KeyEvent(text))
}

// press sends keys to whatever has the focus, and waits until what follows is so.
func (w *walk) press(keys, until string) {
	w.t.Helper()
	w.do(chromedp.KeyEvent(keys))
	w.until(until)
	w.settled()
}

// tabTo goes forward by the tab key until an element that fits has the focus.
func (w *walk) tabTo(selector string) {
	w.t.Helper()
	for range 60 {
		if eval[bool](w.tab, `document.activeElement.matches(`+quoted(selector)+`)`) {
			return
		}
		w.do(chromedp.KeyEvent(kb.Tab))
	}
	require.Fail(w.t, "not reached by keyboard", "%s at %s", selector, w.path())
}

func quoted(s string) string {
	b, _ := json.Marshal(s) //nolint:errchkjson // a string
	return string(b)
}

func registersAWebhook(t *testing.T, w *walk) {
	t.Helper()
	w.visit("/settings/webhooks")
	w.write("#url", "https://127.0.0.2/")
	w.press(kb.Enter, `document.querySelector("[role=alert]")`)
	require.Contains(t, w.text(), "not public", "an address of this machine that is not allowed is refused in words")
	w.forget() // Chromium notes the status 422 of the page itself
	eval[string](w.tab, `document.querySelector("#url").value = ""`)
	w.write("#url", w.hookURL)
	w.press(kb.Enter, `location.pathname.startsWith("/settings/webhooks/wh_")`)
	require.Contains(t, w.text(), "The endpoint was added")
	require.Contains(t, w.text(), evilPath)
	w.soundly()

	w.tabTo("form[action$='/test'] button")
	w.press(kb.Enter, `location.pathname.startsWith("/deliveries/") && document.body.innerText.includes("Attempt 1 was taken")`)
	require.Contains(t, w.text(), "EXAMPLE, TEST DELIVERY")
	w.soundly()

	w.visit("/settings/keys/secret")
	w.tabTo("form[action='/settings/keys/secret'] button")
	w.press(kb.Enter, `document.querySelector("#secret")`)
	w.accessible()
	w.secret = eval[string](w.tab, `document.querySelector("#secret").textContent`)
	require.Equal(t, "/settings/keys/secret", w.path())
	sent := w.letters.last(t)
	require.Equal(t, "1", sent.header.Get("X-Service-Test"))
	sent.signedWith(t, "X-Service-Signature", w.secret)
	w.visit("/settings/trail")
	require.Contains(t, w.text(), "webhook secret shown")
}

func createsAnAlert(t *testing.T, w *walk) {
	t.Helper()
	var booked struct {
		Roster struct{ Records []struct{ Name string } }
	}
	w.ask(`{ roster(limit: 1) { records { name } } }`, &booked)
	w.visit("/alerts/new")
	require.Equal(t, "name", eval[string](w.tab, "document.activeElement.id"))
	w.do(chromedp.KeyEvent(booked.Roster.Records[0].Name))
	w.until(`document.querySelector("#preview .hit")`)
	w.settled()
	require.Contains(t, w.text(), "likely the person")
	require.Contains(t, w.text(), "surname agrees")
	w.soundly()

	t.Log("nothing is created before what would have been found is shown")
	eval[string](w.tab, `document.querySelector("#name").value = ""`)
	w.do(chromedp.KeyEvent("X" + kb.Enter))
	w.until(`!document.querySelector("#said").hidden`)
	require.Contains(t, w.text(), "at least two characters")
	w.accessible()
	eval[string](w.tab, `document.querySelector("#name").value = ""`)
	w.write("#name", "Wren Moonsail"+kb.Enter)
	w.until(`document.querySelector("#preview").textContent.includes("Nobody would have been found")`)
	require.Equal(t, "/alerts/new", w.path())

	w.write("#label", evil)
	w.write("#note", evil)
	w.tabTo("#create")
	w.press(kb.Enter, `location.pathname.startsWith("/alerts/alrt_")`)
	w.alert, _, _ = strings.Cut(w.path(), "?")
	require.Contains(t, w.text(), "The alert was created")
	require.Equal(t, 2, strings.Count(strings.ReplaceAll(w.text(), "\n", " "), evil), "label and note are text")
	w.soundly()
	w.visit("/alerts")
	require.Contains(t, w.text(), "Wren Moonsail "+evil)
}

// happens lets the jail say that the watched person has this bond, by a rollcall ingest process of its own.
func (w *walk) happens(bond int) {
	w.t.Helper()
	file := w.jail.file([]string{"MOONSAIL, WREN " + evil}, w.booked, time.Now().Add(time.Duration(bond-5000)*time.Second), bond)
	out := newOutput()
	require.Equal(w.t, 0, run(w.t.Context(), []string{"ingest", "--source", "common-csv", "--file", file}, out, out, w.getenv), "%s", out)
}

func seesADeliveryAppear(t *testing.T, w *walk) {
	t.Helper()
	w.visit("/deliveries?state=DELIVERED")
	before := eval[int](w.tab, `document.querySelectorAll("[data-delivery]").length`)
	w.happens(1000)
	const mine = `[...document.querySelectorAll("[data-delivery]")].filter(e => e.textContent.includes("MOONSAIL") && e.textContent.includes("delivered"))`
	w.until(mine + `.length === 2`) // the demo's own receiver is told too
	require.Equal(t, before+2, eval[int](w.tab, `document.querySelectorAll("[data-delivery]").length`))
	require.Contains(t, w.text(), evil, "names and labels are text")
	w.soundly()

	sent := w.letters.last(t)
	sent.signedWith(t, "X-Service-Signature", w.secret)
	require.Contains(t, string(sent.body), `"event":"booking"`)
	t.Log("its page shows those bytes and the attempt, and sends them again")
	host := strings.TrimPrefix(w.hookURL, "https://")
	host, _, _ = strings.Cut(host, "/")
	eval[bool](w.tab, mine+`.find(e => e.textContent.includes(`+quoted(host)+`)).focus() || true`)
	w.press(kb.Enter, `location.pathname.startsWith("/deliveries/") && document.querySelector(".attempts")`)
	require.Equal(t, string(sent.body), eval[string](w.tab, `document.querySelector("details pre:not(.attempts pre)").textContent`))
	w.soundly()
	w.tabTo("details.confirm summary")
	w.do(chromedp.KeyEvent(kb.Enter))
	w.accessible()
	w.tabTo("details.confirm[open] button")
	w.press(kb.Enter, `document.body.innerText.includes("Attempt 2 was taken")`)
	again := w.letters.last(t)
	require.Equal(t, sent.body, again.body)
	require.Equal(t, sent.header.Get("Webhook-Id"), again.header.Get("Webhook-Id"))

	t.Log("filters narrow the list, and stay in the address")
	w.visit("/deliveries")
	eval[bool](w.tab, `(() => { const s = document.querySelector("#state"); s.value = "DROPPED"; s.dispatchEvent(new Event("change", {bubbles: true})); return true; })()`)
	w.until(`document.body.innerText.includes("No delivery fits")`)
	require.Equal(t, "/deliveries?state=DROPPED", w.path())
	day := time.Now().In(models.Georgia).Format(time.DateOnly)
	w.visit("/deliveries?alert=" + strings.TrimPrefix(w.alert, "/alerts/") + "&from=" + day + "&to=" + day)
	require.Equal(t, 2, eval[int](w.tab, `document.querySelectorAll("[data-delivery]").length`), "the last day is a whole one")
}

func followsLive(t *testing.T, w *walk) {
	t.Helper()
	const events = `document.querySelectorAll("[data-event]").length`
	w.visit("/activity")
	w.until(`document.querySelector("#connection").textContent === "live"`)
	require.Equal(t, 1, eval[int](w.tab, events))
	w.soundly()
	w.until(`document.querySelector("#connection").textContent === "live"`)

	t.Log("what happens while the connection is lost is told once it is there again")
	w.wire.cut()
	w.until(`document.querySelector("#connection").textContent.startsWith("connection lost")`)
	w.happens(2000)
	w.wire.mend()
	eval[bool](w.tab, `document.querySelector("#again").hidden || document.querySelector("#again").click() || true`)
	w.until(events + ` === 2 && document.querySelector("#connection").textContent === "live"`)
	require.Contains(t, eval[string](w.tab, `document.querySelector("[data-event]").innerText`), "bond changed")
	w.forget() // Chromium notes the lost connection itself

	t.Log("paused, it keeps still and says how much has come")
	w.tabTo("#pause")
	w.do(chromedp.KeyEvent(kb.Enter))
	w.happens(3000)
	w.until(`document.querySelector("#show").textContent === "Show 1 new event"`)
	require.Equal(t, 2, eval[int](w.tab, events))
	w.accessible()
	w.tabTo("#show")
	w.do(chromedp.KeyEvent(kb.Enter))
	w.until(events + ` === 3`)
	require.Contains(t, w.text(), "MOONSAIL, WREN "+evil)
	w.soundly()
}

func judgesAHit(t *testing.T, w *walk) {
	t.Helper()
	w.visit(w.alert)
	text := w.text()
	for _, expected := range []string{"1 hit", "likely the person", "surname agrees", "first name agrees", evil} {
		require.Contains(t, text, expected)
	}
	require.NotRegexp(t, `(?i)\bguilty\b|undefined|\bnull\b|NaN|\[object`, text)
	w.soundly()
	w.tabTo("[data-verdict=CONFIRM]")
	w.press(kb.Enter, `document.body.innerText.includes("You said that this is the person")`)
	w.accessible()
	w.press(kb.Enter, `document.querySelector("[data-verdict=DISMISS]")`) // the focus is on taking it back
	w.tabTo("[data-verdict=DISMISS]")
	w.press(kb.Enter, `document.body.innerText.includes("never fires for this alert again")`)
	w.soundly()
	w.visit(w.alert)
	require.Contains(t, w.text(), "someone else", "what was said is stored")
	w.tabTo("[data-verdict=UNSURE]")
	w.press(kb.Enter, `document.querySelector("[data-verdict=CONFIRM]")`)
}

func replacesTheSecret(t *testing.T, w *walk) {
	t.Helper()
	hook := w.hook()
	test := func() letter {
		w.visit(hook)
		w.click("form[action$='/test'] button")
		w.until(`location.pathname.startsWith("/deliveries/") && document.body.innerText.includes("Attempt 1 was taken")`)
		return w.letters.last(t)
	}
	confirm := func(form, until string) {
		w.tabTo("details.confirm:has([action$='/" + form + "']) summary")
		w.do(chromedp.KeyEvent(kb.Enter))
		w.accessible()
		w.tabTo("[action$='/" + form + "'] button")
		w.press(kb.Enter, until)
	}
	w.visit("/settings/keys/secret")
	confirm("rotate", `document.querySelector("#secret-next")`)
	next := eval[string](w.tab, `document.querySelector("#secret-next").textContent`)
	require.Equal(t, w.secret, eval[string](w.tab, `document.querySelector("#secret").textContent`))
	w.accessible()
	both := test()
	both.signedWith(t, "X-Service-Signature", w.secret)
	both.signedWith(t, "X-Service-Signature-Next", next)

	w.visit("/settings/keys/secret")
	require.NotContains(t, eval[string](w.tab, "document.documentElement.innerHTML"), next, "shown only to whoever asks")
	w.soundly()
	confirm("finish", `document.body.innerText.includes("Only the new secret signs from now on")`)
	after := test()
	after.signedWith(t, "X-Service-Signature", next)
	require.Empty(t, after.header.Get("X-Service-Signature-Next"))
}

// hook is the page of the walk's own webhook.
func (w *walk) hook() string {
	w.t.Helper()
	var found struct{ Webhooks []struct{ ID, URL string } }
	w.ask(`{ webhooks { id url } }`, &found)
	for _, h := range found.Webhooks {
		if h.URL == w.hookURL {
			return "/settings/webhooks/" + h.ID
		}
	}
	require.Fail(w.t, "the webhook is gone")
	return ""
}

func stopsAWebhook(t *testing.T, w *walk) {
	t.Helper()
	hook := w.hook()
	w.visit(hook)
	w.click("details.confirm:has([action$='/pause']) summary")
	w.submit("[action$='/pause'] button")
	require.Contains(t, w.text(), "it is sent nothing until you resume it")
	require.True(t, eval[bool](w.tab, `document.querySelector("form[action$='/test'] button").disabled`))
	w.soundly()
	w.submit("[action$='/resume'] button")

	t.Log("a port where nobody listens")
	eval[string](w.tab, `document.querySelector("#url").value = "https://127.0.0.1:1/"`)
	w.submit("form.fields button")
	w.click("form[action$='/test'] button")
	w.until(`location.pathname.startsWith("/deliveries/") && document.body.innerText.includes("Attempt 1 failed")`)
	require.Contains(t, w.text(), "The next attempt is due")
	w.soundly()
	w.visit(hook)
	require.NotContains(t, w.text(), "Every attempt failed since", "a test says nothing of the endpoint's health")
	w.happens(4000)
	w.until(`[...document.querySelectorAll("[data-delivery]")].some(e => e.textContent.includes("MOONSAIL") && e.textContent.includes("will be tried again"))`)
	w.visit(hook)
	require.Contains(t, w.text(), "Every attempt failed since")
	w.soundly()
	w.tabTo("details.confirm:has([action$='/delete']) summary")
	w.do(chromedp.KeyEvent(kb.Enter))
	w.tabTo("[action$='/delete'] button")
	w.press(kb.Enter, `location.pathname === "/settings/webhooks"`)
	require.NotContains(t, w.text(), "127.0.0.1:1/")
}

func stopsAnAlert(t *testing.T, w *walk) {
	t.Helper()
	w.visit(w.alert)
	w.tabTo("details.edit summary")
	w.do(chromedp.KeyEvent(kb.Enter))
	w.accessible()
	w.tabTo("#label")
	w.do(chromedp.KeyEvent(kb.End + " and more"))
	w.tabTo("details.edit form button")
	w.press(kb.Enter, `document.body.innerText.includes("The alert was changed")`)
	require.Contains(t, w.text(), evil+" and more")

	w.tabTo("details.confirm summary")
	w.do(chromedp.KeyEvent(kb.Enter))
	w.tabTo("details.confirm[open] button")
	w.press(kb.Enter, `document.body.innerText.includes("The alert is paused")`)
	w.soundly()
	w.tabTo("details.confirm summary") // what is left is to delete it
	w.do(chromedp.KeyEvent(kb.Enter))
	w.accessible()
	w.tabTo("details.confirm[open] button.danger")
	w.press(kb.Enter, `location.pathname === "/alerts"`)
	require.NotContains(t, w.text(), "Wren Moonsail")
}
