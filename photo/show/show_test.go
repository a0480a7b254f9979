package show_test

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"image/jpeg"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/internal/signedlink"
	"rollcall/internal/testdb"
	"rollcall/models"
	"rollcall/models/store"
	"rollcall/photo"
	"rollcall/photo/show"
	"rollcall/photo/vault"
	"rollcall/rest"
)

// bundle is a booking with a photograph, on a service of two replicas.
type bundle struct {
	*testing.T
	db     *testdb.DB
	stores [2]*store.Store
	show   [2]*show.Server
	rid    int64
	id     string
	now    time.Time
	large  []byte
	broken error // of the place of pictures
}

func setup(t *testing.T) *bundle {
	t.Helper()
	b := &bundle{T: t, db: testdb.New(t), id: "fulton-2026-000001", now: time.Date(2026, 3, 10, 15, 0, 0, 0, time.UTC)}
	b.db.Add(t, testdb.Booking{ID: b.id, Name: "MOONSAIL, ORLA", Photo: true})
	picture := drawn(t)
	b.large = picture.Large
	v, err := vault.Open(t.Context(), filepath.Join(t.TempDir(), "pictures"), vault.Keys{})
	require.NoError(t, err)
	require.NoError(t, v.Put(t.Context(), picture))
	b.exec(`insert into photograph_files (hash, width, height, small_width, small_height, taken_at) values ($1, $2, $3, $4, $5, now())`,
		picture.Hash, picture.Width, picture.Height, picture.SmallWidth, picture.SmallHeight)
	b.exec(`update roster_claims set photograph = $1`, picture.Hash)
	require.NoError(t, b.db.Pool.QueryRow(t.Context(), `select rid from bookings`).Scan(&b.rid))
	links, err := signedlink.New([]byte("a secret key of a test, 32 bytes"), "https://records.example")
	require.NoError(t, err)
	log := slog.New(slog.DiscardHandler)
	for i := range b.stores {
		b.stores[i], err = store.Open(t.Context(), b.db.URL, store.Options{Now: func() time.Time { return b.now }, KeepRecords: 1 << 20})
		require.NoError(t, err)
		t.Cleanup(b.stores[i].Close)
		b.show[i] = &show.Server{
			Store: b.stores[i], Links: links, Now: func() time.Time { return b.now }, Log: log, Reject: rest.NewReject(log),
			Vault: func(context.Context) (*vault.Vault, error) { return v, b.broken },
		}
	}
	return b
}

// drawn is a picture that was taken.
func drawn(t *testing.T) *photo.Picture {
	t.Helper()
	m := image.NewRGBA(image.Rect(0, 0, 480, 600))
	for y := range 600 {
		for x := range 480 {
			m.SetRGBA(x, y, color.RGBA{uint8(x), uint8(y), 90, 255})
		}
	}
	var out bytes.Buffer
	require.NoError(t, jpeg.Encode(&out, m, nil))
	p, err := photo.Read(out.Bytes())
	require.NoError(t, err)
	return p
}

func (b *bundle) exec(sql string, args ...any) {
	b.Helper()
	_, err := b.db.Pool.Exec(b.Context(), sql, args...)
	require.NoError(b, err)
}

// get asks a replica for an address.
func (b *bundle) get(replica int, address string) *http.Response {
	b.Helper()
	w := httptest.NewRecorder()
	b.show[replica].ServeHTTP(w, httptest.NewRequestWithContext(b.Context(), http.MethodGet, address, http.NoBody))
	return w.Result()
}

func TestASignedAddressWorksForFiveMinutes(t *testing.T) {
	t.Parallel()
	b := setup(t)
	address, until := b.show[0].Address(b.id, vault.Large)
	require.Equal(t, 5*time.Minute, until.Sub(b.now))
	require.NotContains(t, address, "fulton", "it says nothing of the booking")
	res := b.get(1, address)
	body, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	require.Equal(t, b.large, body)
	require.Equal(t, []string{"image/jpeg", "private, no-store", "nosniff"},
		[]string{res.Header.Get("Content-Type"), res.Header.Get("Cache-Control"), res.Header.Get("X-Content-Type-Options")})

	small, _ := b.show[0].Address(b.id, vault.Small)
	m, err := jpeg.Decode(b.get(0, small).Body)
	require.NoError(t, err)
	require.Equal(t, image.Pt(192, 240), m.Bounds().Size())

	for name, wrong := range map[string]string{
		"changed": strings.Replace(address, address[len(address)-4:], "AAAA", 1), "of another purpose": strings.Replace(address, "/photographs/", "/mail/hit/", 1) + "x", "none": "/photographs/x",
	} {
		require.Equal(t, http.StatusNotFound, b.get(0, wrong).StatusCode, name)
	}
	b.now = until
	require.Equal(t, http.StatusNotFound, b.get(0, address).StatusCode, "has expired")
}

// What decides is what the tables say at the moment of the request, on whichever replica.
func TestWhatIsWithheldIsSentByNoAddress(t *testing.T) {
	t.Parallel()
	for name, hide := range map[string]string{
		"withheld": `update bookings set withheld = 'restricted', gen = gen + 1`,
		"removal was asked for": `with asked as (insert into photograph_removals (family, public_id, asked_at, due_at, actor) select 'roster', id, now(), now(), 'desk' from bookings limit 1 returning id)
			insert into removed_photographs (request, family, record) select asked.id, 'roster', b.rid from asked, bookings b`,
		"the picture is nobody's":     `update photograph_files set placeholder = true`,
		"the claim lost it":           `update roster_claims set photograph = null`,
		"the claim went to another":   `update roster_claims set record = null`,
		"the booking was merged away": `insert into bookings (rid, id, county_id, source_id, name, name_key, booked_at, first_seen, last_seen, last_change, gen) select 9000, 'fulton-2026-000002', county_id, source_id, name, name_key, booked_at, first_seen, last_seen, last_change, gen from bookings; update bookings set merged_into = 9000 where rid <> 9000`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			address, _ := b.show[0].Address(b.id, vault.Large)
			for replica := range b.show {
				require.Equal(t, http.StatusOK, b.get(replica, address).StatusCode)
			}
			b.exec(hide)
			for replica := range b.show {
				require.Equal(t, http.StatusNotFound, b.get(replica, address).StatusCode)
				err := b.show[replica].Send(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", http.NoBody), b.rid, vault.Large)
				require.Equal(t, models.CodeNotFound, models.CodeOf(err))
			}
		})
	}
}

func TestAPlaceThatDoesNotAnswerIsNoMissingPhotograph(t *testing.T) {
	t.Parallel()
	b := setup(t)
	address, _ := b.show[0].Address(b.id, vault.Large)
	b.broken = errors.New("the bucket does not answer")
	res := b.get(0, address)
	body, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	require.Equal(t, http.StatusServiceUnavailable, res.StatusCode)
	require.NotContains(t, string(body), "bucket")
}

func TestAPictureThatIsMissingIsReportedOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var log bytes.Buffer
	b.show[0].Log = slog.New(slog.NewTextHandler(&log, nil))
	address, _ := b.show[0].Address(b.id, vault.Large)
	v, err := b.show[0].Vault(t.Context())
	require.NoError(t, err)
	require.NoError(t, v.Delete(t.Context(), drawn(t).Hash))
	for range 3 {
		require.Equal(t, http.StatusNotFound, b.get(0, address).StatusCode)
	}
	require.Equal(t, 1, strings.Count(log.String(), "level=WARN"), log.String())
	require.NotContains(t, log.String(), "MOONSAIL")
	require.EqualValues(t, 1, b.stores[0].LostPictures())
	booking, err := b.stores[1].BookingByID(t.Context(), b.id)
	require.NoError(t, err)
	require.False(t, booking.HasPhoto)
}
