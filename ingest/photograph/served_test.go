package photograph_test

import (
	"bytes"
	"encoding/json"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/auth"
	"rollcall/internal/buckettest"
	"rollcall/internal/service"
	"rollcall/models"
	"rollcall/photo"
	"rollcall/photo/vault"
)

// place is where pictures are kept, and what counts the files there.
type place struct {
	address string
	keys    vault.Keys
	files   func() int
}

// places are the kinds of places.
var places = map[string]func(t *testing.T) place{
	"a directory": func(t *testing.T) place {
		t.Helper()
		dir := filepath.Join(t.TempDir(), "pictures")
		return place{dir, vault.Keys{}, func() (n int) {
			require.NoError(t, filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
				if err == nil && !d.IsDir() {
					n++
				}
				return err
			}))
			return n
		}}
	},
	"a bucket by the protocol of S3": func(t *testing.T) place {
		t.Helper()
		const id, secret = "KEYID", "a secret key"
		s := buckettest.S3(t, "photos", id, secret)
		return place{"s3://photos/jail?endpoint=" + s.URL, vault.Keys{S3ID: id, S3Secret: secret, Roots: s.Roots}, func() int { return len(s.Names()) }}
	},
}

// public is the address under which callers know the replicas.
const public = "https://records.example"

// replica is the service over the records and pictures of a bundle.
type replica struct {
	*testing.T
	root, key string
}

// serves starts replicas of the service without its jobs, with both caches. The key is of an account without a limit.
func (b *bundle) serves(at place) (replicas [2]replica) {
	b.Helper()
	key := auth.NewKey()
	sum := key.SHA256()
	account := &models.Account{Name: "News Desk", Email: "desk@example.org", Plan: models.Enterprise}
	require.NoError(b, b.store.CreateAccount(b.Context(), account))
	require.NoError(b, b.store.CreateKey(b.Context(), &models.APIKey{AccountID: account.ID, Prefix: key.Prefix(), SHA256: sum[:]}))
	for i := range replicas {
		app := &service.App{
			Config: service.Config{
				Addr: "127.0.0.1:0", MetricsAddr: "off", BaseURL: public + "/v1", DataDir: b.TempDir(), DatabaseURL: b.db.URL, SecretKey: strings.Repeat("k", 40),
				ResultCache: 8, RecordCache: 8, Photographs: at.address, PhotographKeys: at.keys,
			},
			Stdout: io.Discard, Stderr: io.Discard, Log: slog.New(slog.DiscardHandler),
		}
		s, err := app.Start(b.Context())
		require.NoError(b, err)
		b.Cleanup(s.Stop)
		replicas[i] = replica{b.T, "http://" + s.Listener.Addr().String(), key.Reveal()}
	}
	return replicas
}

// get returns what a path answers. Without a key none is sent.
func (r replica) get(path, key string) (status int, head http.Header, body []byte) {
	r.Helper()
	return r.send(http.MethodGet, path, key, nil)
}

func (r replica) send(method, path, key string, body []byte) (status int, head http.Header, answer []byte) {
	r.Helper()
	req, err := http.NewRequestWithContext(r.Context(), method, r.root+path, bytes.NewReader(body))
	require.NoError(r, err)
	if key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultTransport.RoundTrip(req)
	require.NoError(r, err)
	defer func() { _ = res.Body.Close() }()
	answer, err = io.ReadAll(res.Body)
	require.NoError(r, err)
	return res.StatusCode, res.Header, answer
}

// record is a booking as /v1 answers it.
func (r replica) record(id string) (record struct {
	MugshotURL *string `json:"mugshot_url"`
	Match      *struct {
		MugshotMatch bool   `json:"mugshot_match"`
		Confidence   string `json:"confidence"`
	} `json:"gdc_match"`
},
) {
	r.Helper()
	status, _, body := r.get("/v1/roster/"+id, r.key)
	require.Equal(r, http.StatusOK, status, "%s", body)
	require.NoError(r, json.Unmarshal(body, &record))
	return record
}

// graphql answers fields of a booking into a value.
func (r replica) graphql(id, fields string, into any) {
	r.Helper()
	query, err := json.Marshal(map[string]any{"query": `query ($id: ID!) { rosterRecord(id: $id) { ` + fields + ` } }`, "variables": map[string]string{"id": id}})
	require.NoError(r, err)
	status, _, body := r.send(http.MethodPost, "/graphql", r.key, query)
	require.Equal(r, http.StatusOK, status, "%s", body)
	var answer struct {
		Data   struct{ RosterRecord json.RawMessage }
		Errors json.RawMessage
	}
	require.NoError(r, json.Unmarshal(body, &answer))
	require.Empty(r, answer.Errors, "%s", body)
	require.NoError(r, json.Unmarshal(answer.Data.RosterRecord, into))
}

// id is that of the booking of a person.
func (b *bundle) id(name string) string {
	b.Helper()
	return b.text(`select id from bookings where name = $1`, name)
}

// read is what is kept of a file.
func read(t *testing.T, file []byte) *photo.Picture {
	t.Helper()
	p, err := photo.Read(file)
	require.NoError(t, err)
	return p
}

// A photograph goes from its source through the job into a place and out of the service, and away again with its record.
func TestAPhotographIsSentFromItsPlaceUntilItsRecordIsWithheld(t *testing.T) {
	t.Parallel()
	for name, in := range places {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			at := in(t)
			b := setupIn(t, at.address, at.keys)
			s := b.source("web", false)
			b.says("/photos/1.jpg", drawn(10))
			b.says("/photos/2.jpg", drawn(20))
			rows := []string{row("1", "QUILLFEATHER, WREN", "/photos/1.jpg"), row("2", "MOONSAIL, ORLA", "/photos/2.jpg"), row("3", "FERN, ELM", "")}
			b.reads(s, rows...)
			require.Zero(t, at.files(), "the run brought none")
			b.pass()
			require.Equal(t, 4, at.files(), "two pictures in two sizes")

			replicas := b.serves(at)
			one, wren, orla := replicas[0], b.id("QUILLFEATHER, WREN"), b.id("MOONSAIL, ORLA")
			path := "/v1/roster/" + wren + "/mugshot"
			require.Equal(t, public+path, *one.record(wren).MugshotURL)
			require.Nil(t, one.record(b.id("FERN, ELM")).MugshotURL)
			want := read(t, drawn(10))
			require.NotEqual(t, want.Large, drawn(10), "an original is never sent")
			status, head, body := one.get(path, one.key)
			require.Equal(t, http.StatusOK, status)
			require.Equal(t, want.Large, body)
			require.Equal(t, []string{"image/jpeg", "private, no-store", "nosniff"}, []string{head.Get("Content-Type"), head.Get("Cache-Control"), head.Get("X-Content-Type-Options")})
			_, _, body = one.get(path+"?size=small", one.key)
			require.Equal(t, want.Small, body)
			status, _, _ = one.get(path, "")
			require.Equal(t, http.StatusUnauthorized, status, "without a key")
			signed := func(id string) string {
				var shown struct{ Mugshot struct{ URL string } }
				one.graphql(id, `mugshot(size: LARGE) { url width height expiresAt }`, &shown)
				return strings.TrimPrefix(shown.Mugshot.URL, public)
			}
			ofWren, ofOrla := signed(wren), signed(orla)
			for _, r := range replicas {
				status, _, body = r.get(ofWren, "")
				require.Equal(t, http.StatusOK, status, "%s", body)
				require.Equal(t, want.Large, body)
			}

			_, err := b.store.Restrict(t.Context(), wren, "desk", "looked at")
			require.NoError(t, err)
			for _, r := range replicas {
				for path, want := range map[string]int{
					path: http.StatusNotFound, path + "?size=small": http.StatusNotFound, ofWren: http.StatusNotFound,
					"/v1/roster/" + orla + "/mugshot": http.StatusOK, ofOrla: http.StatusOK,
				} {
					status, _, body = r.get(path, r.key)
					require.Equal(t, want, status, "%s: %s", path, body)
				}
			}
			b.now = b.now.Add(2 * time.Hour)
			b.pass()
			require.Equal(t, 2, at.files(), "the picture of the withheld record left its place")
			_, _, err = b.vault.Get(t.Context(), want.Hash, vault.Large)
			require.ErrorIs(t, err, vault.ErrNotFound)

			b.reads(s, rows...)
			b.pass()
			require.Equal(t, 2, at.files(), "and is not brought again")
			s.Privacy.Photographs = ""
			b.pass()
			status, _, _ = one.get("/v1/roster/"+orla+"/mugshot", one.key)
			require.Equal(t, http.StatusNotFound, status, "the reason was taken back")
			b.now = b.now.Add(2 * time.Hour)
			b.pass()
			require.Zero(t, at.files())
		})
	}
}
