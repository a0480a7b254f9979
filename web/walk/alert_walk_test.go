package walk

import (
	"encoding/json"
	"log/slog"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/internal/cmdtest"
	"rollcall/internal/receiver"
)

// evil is what a field must show as it is, and evilPath the same where no blank may be.
const (
	evil     = `<img src=x onerror=alert(1)>`
	evilPath = `<img/src=x/onerror=alert(1)>`
)

// walk is a demo whose account gets a webhook, an alert and events, all by its pages.
type walk struct {
	*tab
	t       *testing.T
	env     cmdtest.Variables
	wire    *cutter
	letters *letterbox
	hookURL string
	secret  string
	alert   string    // path of its page
	door    string    // path of the link that signs in
	dir     string    // of the files that the jail sends
	booked  time.Time // when the watched person was
}

// TestAlertsInABrowser walks from the first webhook to its deleted alert, in Chromium, against a demo, a real receiver over TLS
// and a change that comes through the ingest.
func TestAlertsInABrowser(t *testing.T) {
	t.Parallel()
	chromium(t)
	cert, err := receiver.NewCertificate(time.Now())
	require.NoError(t, err)
	caFile := filepath.Join(t.TempDir(), "ca.pem")
	require.NoError(t, os.WriteFile(caFile, cert.PEM(), 0o600))
	w := &walk{t: t, env: cmdtest.Environment(t), letters: &letterbox{}, dir: t.TempDir(), booked: time.Now().Add(-3 * time.Hour)}
	w.env["ROLLCALL_WEBHOOK_CA_FILE"], w.env["ROLLCALL_WEBHOOK_ALLOW"] = caFile, "127.0.0.1"
	receiver := httptest.NewUnstartedServer(w.letters)
	receiver.TLS = cert.Server()
	receiver.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelDebug)
	receiver.StartTLS()
	t.Cleanup(receiver.Close)
	w.hookURL = receiver.URL + "/" + evilPath

	root, door, stop := startDemo(t, w.env, "--pace", "1h")
	defer stop()
	w.wire = newCutter(t, strings.TrimPrefix(root, "http://"))
	w.tab = newTab(t, "http://"+w.wire.address())
	w.door = door
	w.visit(w.door)
	for _, step := range []struct {
		name string
		run  func(*testing.T, *walk)
	}{
		{"a webhook is registered by keyboard, and its test arrives, signed", registersAWebhook},
		{"what was typed outlives the session", keepsWhatWasTyped},
		{"an alert is created by keyboard, after its preview", createsAnAlert},
		{"a delivery appears live, and is the verified one", seesADeliveryAppear},
		{"the live page goes on after a lost connection without a gap", followsLive},
		{"many open tabs share one stream", sharesAStream},
		{"a hit is explained, confirmed and dismissed", judgesAHit},
		{"what was sent in a time is counted and sent again", sendsATimeAgain},
		{"the secret is replaced in two phases", replacesTheSecret},
		{"a webhook that fails says so, and is paused and deleted", stopsAWebhook},
		{"a list of names becomes alerts of a label, which are changed together", importsNames},
		{"an alert is changed, paused and deleted by keyboard", stopsAnAlert},
	} {
		if !t.Run(step.name, func(t *testing.T) {
			w.t, w.tab.t = t, t
			step.run(t, w)
			w.clean()
		}) {
			break // each begins where the one before ended
		}
	}
}

func quoted(s string) string {
	b, _ := json.Marshal(s) //nolint:errchkjson // a string
	return string(b)
}

// happens lets the jail say that the watched person has this bond, by a rollcall ingest process of its own.
func (w *walk) happens(bond int) {
	w.t.Helper()
	file := cmdtest.Snapshot(w.t, w.dir, []string{"MOONSAIL, WREN " + evil}, w.booked, time.Now().Add(time.Duration(bond-5000)*time.Second), bond)
	out := cmdtest.NewOutput()
	require.Equal(w.t, 0, cmdtest.Built(w.t)(w.t.Context(), []string{"ingest", "--source", "common-csv", "--file", file}, out, out, w.env), "%s", out)
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
