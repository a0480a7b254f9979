package main

import (
	"encoding/json"
	"net/http"
	"net/netip"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/internal/cmdtest"
	"rollcall/internal/public"
	"rollcall/models"
	"rollcall/notifier"
)

// sender delivers to a receiver of this machine, as rollcall with ROLLCALL_WEBHOOK_ALLOW and ROLLCALL_WEBHOOK_CA_FILE does.
func sender(t *testing.T, caFile string) *notifier.Client {
	t.Helper()
	roots, err := notifier.LoadRoots(caFile)
	require.NoError(t, err)
	c := notifier.NewClient(notifier.ClientOptions{
		Guard: public.New([]netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}), Version: "test", Roots: roots,
	})
	t.Cleanup(c.Close)
	return c
}

func TestWebhookListen(t *testing.T) {
	t.Parallel()
	secret := notifier.NewSecret()
	bond := int64(125_050)
	happened := notifier.Event{
		ID: "evt_1", Kind: models.EventBondChange, AlertID: "alt_1", At: time.Now(),
		Record: notifier.Record{
			ID: "ben-hill-2026-000001", Name: "ABERNETHY, \x1b[2JQUENTIN", County: "Ben Hill", BookingDate: time.Now(),
			BondCents: &bond, Status: models.Booked,
		},
	}
	body, err := happened.Body(notifier.PayloadV1)
	require.NoError(t, err)
	listen := func(t *testing.T, args ...string) (p *cmdtest.Process, address, caFile string) {
		t.Helper()
		data := t.TempDir()
		env := cmdtest.Variables{"ROLLCALL_DATA_DIR": data, "ROLLCALL_WEBHOOK_SECRET": secret.Reveal()}
		p = cmdtest.Start(t, inProcess, env, append([]string{"webhook", "listen", "--addr", "127.0.0.1:0"}, args...)...)
		said := p.Stderr.Await(t, "Ctrl-C stops.", p.Ended)
		return p, regexp.MustCompile(`https?://127\.0\.0\.1:\d+`).FindString(said), filepath.Join(data, "webhook-listen-ca.pem")
	}

	t.Run("a genuine delivery is printed for people, and told from its repetition", func(t *testing.T) {
		t.Parallel()
		p, address, caFile := listen(t)
		d := notifier.Delivery{URL: address + "/hook", EventID: happened.ID, Body: body, Keys: notifier.Keyring{Current: secret}}
		for range 2 {
			a, err := sender(t, caFile).Send(t.Context(), d)
			require.NoError(t, err)
			require.True(t, a.Delivered(), a.Err)
		}
		p.Stop(t)
		lines := strings.Split(strings.TrimSpace(p.Stdout.String()), "\n")
		require.Len(t, lines, 2)
		require.Regexp(t, `^\d\d:\d\d:\d\d  bond_change  ABERNETHY, \?\[2JQUENTIN, Ben Hill County  record ben-hill-2026-000001  alert alt_1  evt_1  bond \$1250\.5$`, lines[0])
		require.True(t, strings.HasSuffix(lines[1], "  (again)"))
	})
	t.Run("--json prints a line a delivery with the body as it came", func(t *testing.T) {
		t.Parallel()
		p, address, caFile := listen(t, "--json")
		a, err := sender(t, caFile).Send(t.Context(), notifier.Delivery{
			URL: address, EventID: "evt_2", Body: body, Keys: notifier.Keyring{Current: notifier.NewSecret(), Next: secret}, Test: true,
		})
		require.NoError(t, err)
		require.True(t, a.Delivered(), "during a rotation either secret holds: %s", a.Err)
		p.Stop(t)
		var got map[string]any
		require.NoError(t, json.Unmarshal([]byte(p.Stdout.String()), &got))
		require.Equal(t, "evt_2", got["webhook_id"])
		require.Equal(t, true, got["test"])
		var sent any
		require.NoError(t, json.Unmarshal(body, &sent))
		require.Equal(t, sent, got["body"])
	})
	t.Run("what another secret signed is refused and not printed", func(t *testing.T) {
		t.Parallel()
		p, address, caFile := listen(t)
		a, err := sender(t, caFile).Send(t.Context(), notifier.Delivery{
			URL: address, EventID: "evt_3", Body: body, Keys: notifier.Keyring{Current: notifier.NewSecret()},
		})
		require.NoError(t, err)
		require.Equal(t, http.StatusUnauthorized, a.Status)
		p.Stop(t)
		require.Empty(t, p.Stdout.String())
		require.Contains(t, p.Stderr.String(), "refused a request: X-Service-Signature: no signature was made with this secret")
	})
	t.Run("--plain speaks HTTP for a tunnel", func(t *testing.T) {
		t.Parallel()
		p, address, _ := listen(t, "--plain")
		require.True(t, strings.HasPrefix(address, "http://"), address)
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, strings.NewReader(string(body)))
		require.NoError(t, err)
		notifier.Keyring{Current: secret}.Sign(r.Header, "evt_4", time.Now(), body)
		resp, err := http.DefaultTransport.RoundTrip(r)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		require.Equal(t, http.StatusOK, resp.StatusCode)
		p.Stop(t)
		require.Contains(t, p.Stdout.String(), "evt_4")
	})
}

func TestWebhookListenSaysWhatIsMissing(t *testing.T) {
	t.Parallel()
	x := newTerminal(t)
	code, _ := x.Run("webhook", "listen")
	require.Equal(t, 1, code)
	require.Contains(t, x.Stderr, "set ROLLCALL_WEBHOOK_SECRET")
}
