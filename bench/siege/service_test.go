package siege

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/auth"
	"rollcall/bench/roster"
	"rollcall/internal/cmdtest"
	"rollcall/internal/testdb"
	"rollcall/models"
	"rollcall/models/store"
)

func TestMain(m *testing.M) { cmdtest.Main(m) }

// target is a service that runs, with records of each family.
type target struct {
	db      *testdb.DB
	store   *store.Store
	address string // host:port
	records int    // of each family
	// log is what the service says at warn.
	log *cmdtest.Output
}

// start starts the service over invented records.
func start(t *testing.T, records int) *target {
	t.Helper()
	s := &target{db: testdb.New(t), records: records}
	s.fill(t)
	var err error
	s.store, err = store.Open(t.Context(), s.db.URL, store.Options{})
	require.NoError(t, err)
	t.Cleanup(s.store.Close)
	p := cmdtest.Start(t, cmdtest.Built(t), cmdtest.Variables{
		"ROLLCALL_DATABASE_URL": s.db.URL, "ROLLCALL_DATA_DIR": t.TempDir(), "ROLLCALL_ADDR": "127.0.0.1:0", "ROLLCALL_METRICS_ADDR": "off",
		"ROLLCALL_WEBHOOK_ALLOW": "127.0.0.0/8", "ROLLCALL_TRUSTED_PROXIES": "127.0.0.99/32", "ROLLCALL_LOG_LEVEL": "info",
	}, "serve")
	t.Cleanup(func() { p.Interrupt(); <-p.Ended })
	said := p.Stderr.Await(t, "serving", p.Ended)
	at := regexp.MustCompile(`"address":"([^"]+)"|address=(\S+)`).FindStringSubmatch(said)
	require.NotNil(t, at, said)
	s.address, s.log = at[1]+at[2], p.Stderr
	return s
}

// root is the address of the service as a client writes it.
func (s *target) root() string { return "http://" + s.address }

// fill stores records of each family: every fourth booking has a link, and every case leads to a person.
func (s *target) fill(t *testing.T) {
	t.Helper()
	now := time.Now()
	const batch = 1000
	for from := 0; from < s.records; from += batch {
		var all []any
		for i := from; i < min(from+batch, s.records); i++ {
			last, first, dob := roster.Person(i)
			b := testdb.Booking{
				ID: s.booking(i), Name: last + ", " + first, DOB: dob, Charges: []string{"THEFT BY TAKING", "SIMPLE BATTERY"}, BondCents: 100_000,
				At: now.Add(-time.Duration(i) * time.Hour / 4).Format(time.RFC3339), Changed: now.Add(-time.Duration(i) * time.Minute).Format(time.RFC3339),
			}
			if i%3 > 0 {
				b.Released = now.Format(time.RFC3339)
			}
			number := s.number(i)
			all = append(all, b, testdb.Case{
				Number: number, Defendant: last + ", " + first, DOB: dob, Offense: "THEFT BY TAKING", Judge: "MERRIWEATHER",
				Hearings: []testdb.Hearing{{Date: "2026-12-01", Time: "09:00"}, {Date: "2026-12-09"}}, Dispositions: []testdb.Disposition{{Date: "2026-11-01", Outcome: "BOUND OVER"}},
			}, testdb.CourtLink{Case: number, Booking: b.ID})
			if i%4 == 0 {
				gdc := s.offender(i)
				all = append(all, testdb.Offender{GdcID: gdc, Name: last + ", " + first, DOB: dob, Institution: "CENTRAL"}, testdb.Link{Booking: b.ID, Offender: gdc})
			}
		}
		s.db.Add(t, all...)
	}
	_, err := s.db.Pool.Exec(t.Context(), "analyze")
	require.NoError(t, err)
}

// booking, number and offender name the records of person i.
func (*target) booking(i int) string  { return fmt.Sprintf("fulton-2026-%06d", i+1) }
func (*target) number(i int) string   { return fmt.Sprintf("26-CR-%06d", i+1) }
func (*target) offender(i int) string { return strconv.Itoa(1_000_000 + i) }

// party is an account with a key and a user who is signed in.
type party struct {
	account, key string
	// cookie is that of a session; token that of the pages of this session, empty until read.
	cookie, token string
}

// party makes an account on the Enterprise plan, with so many requests a minute; 0: without a limit.
func (s *target) party(t *testing.T, name string, limit int) *party {
	t.Helper()
	a := &models.Account{Name: name, Email: rand.Text() + "@example.org", Plan: models.Enterprise, RateLimit: limit}
	require.NoError(t, s.store.CreateAccount(t.Context(), a))
	key := auth.NewKey()
	sum := key.SHA256()
	require.NoError(t, s.store.CreateKey(t.Context(), &models.APIKey{AccountID: a.ID, Label: name, Prefix: key.Prefix(), SHA256: sum[:]}))
	user, session := "user_"+rand.Text(), auth.NewToken()
	_, err := s.db.Pool.Exec(t.Context(), `insert into users (id, account_id, email, password, role, created_at) values ($1, $2, $3, '!', 'owner', now())`, user, a.ID, a.Email)
	require.NoError(t, err)
	_, err = s.db.Pool.Exec(t.Context(), `insert into sessions (sha256, user_id, created_at, seen_at, expires_at, agent) values ($1, $2, now(), now(), now() + interval '1 hour', '')`,
		auth.HashToken(session), user)
	require.NoError(t, err)
	return &party{account: a.ID, key: key.Reveal(), cookie: "rollcall_session=" + session}
}

var pageToken = regexp.MustCompile(`<meta name="page" content="([0-9a-f]+)">`)

// open reads the token of a page of the party's session.
func (p *party) open(ctx context.Context, t *testing.T, c *caller) {
	t.Helper()
	_, text, err := c.send(ctx, http.MethodGet, "/alerts", "", "Cookie", p.cookie)
	require.NoError(t, err)
	token := pageToken.FindSubmatch(text)
	require.Len(t, token, 2, "%s", text)
	p.token = string(token[1])
}

// lasts returns how long each attack lasts, and whether this is the long run.
func lasts() (each time.Duration, long bool) {
	each, err := time.ParseDuration(os.Getenv("ROLLCALL_SIEGE"))
	if err != nil {
		return 100 * time.Millisecond, false
	}
	return each, true
}
