package vault_test

import (
	"bytes"
	"context"
	"crypto/x509"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/internal/buckettest"
	"rollcall/photo"
	"rollcall/photo/vault"
)

// picture is one of a grey.
func picture(tb testing.TB, grey uint8) *photo.Picture {
	tb.Helper()
	m := image.NewGray(image.Rect(0, 0, 90, 300))
	draw.Draw(m, m.Rect, &image.Uniform{color.Gray{grey}}, image.Point{}, draw.Src)
	var b bytes.Buffer
	require.NoError(tb, png.Encode(&b, m))
	p, err := photo.Read(b.Bytes())
	require.NoError(tb, err)
	return p
}

// opened opens a place.
func opened(t *testing.T, address string, keys vault.Keys) *vault.Vault {
	t.Helper()
	v, err := vault.Open(t.Context(), address, keys)
	require.NoError(t, err)
	return v
}

// got reads a picture and checks that its length was stated.
func got(t *testing.T, v *vault.Vault, hash string, size vault.Size) []byte {
	t.Helper()
	r, n, err := v.Get(t.Context(), hash, size)
	require.NoError(t, err)
	defer func() { require.NoError(t, r.Close()) }()
	b, err := io.ReadAll(r)
	require.NoError(t, err)
	require.EqualValues(t, len(b), n)
	return b
}

// kept lists the hashes.
func kept(t *testing.T, v *vault.Vault) (hashes []string) {
	t.Helper()
	require.NoError(t, v.Each(t.Context(), func(hash string, at time.Time) error {
		require.WithinDuration(t, time.Now(), at, time.Minute)
		hashes = append(hashes, hash)
		return nil
	}))
	return hashes
}

const id, secret, sig = "KEYID", "a secret key", "a+b/c="

// places are the kinds of places: their addresses and keys.
func places(t *testing.T) map[string]struct {
	address string
	keys    vault.Keys
} {
	t.Helper()
	type place = struct {
		address string
		keys    vault.Keys
	}
	s3, google, azure := buckettest.S3(t, "photos", id, secret), buckettest.S3(t, "photos", id, secret), buckettest.Azure(t, "photos", sig)
	google.Google = true
	return map[string]place{
		"a directory":            {filepath.Join(t.TempDir(), "var", "photos"), vault.Keys{}},
		"a directory by its URL": {"file://" + filepath.ToSlash(t.TempDir()) + "/photos", vault.Keys{}},
		"S3":                     {"s3://photos?endpoint=" + s3.URL, vault.Keys{S3ID: id, S3Secret: secret, Roots: s3.Roots}},
		"a folder of S3":         {"s3://photos/a/folder/?endpoint=" + s3.URL, vault.Keys{S3ID: id, S3Secret: secret, Roots: s3.Roots}},
		"Google":                 {"gs://photos/folder?endpoint=" + google.URL, vault.Keys{S3ID: id, S3Secret: secret, Roots: google.Roots}},
		"Azure":                  {"azblob://photos/a/folder?endpoint=" + azure.URL, vault.Keys{AzureSAS: "?sv=2021-12-02&sp=rwdl&sr=c&sig=a%2Bb%2Fc%3D", Roots: azure.Roots}},
	}
}

func TestPicturesAreKeptUnderTheirHash(t *testing.T) {
	t.Parallel()
	for name, place := range places(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v := opened(t, place.address, place.keys)
			require.Empty(t, kept(t, v))
			pictures := []*photo.Picture{picture(t, 20), picture(t, 120), picture(t, 220)}
			var hashes []string
			for _, p := range pictures {
				require.NoError(t, v.Put(t.Context(), p))
				require.NoError(t, v.Put(t.Context(), p), "again")
				hashes = append(hashes, p.Hash)
			}
			slices.Sort(hashes)
			require.Equal(t, hashes, kept(t, v), "each once, in order")
			for _, p := range pictures {
				require.Equal(t, p.Large, got(t, v, p.Hash, vault.Large))
				require.Equal(t, p.Small, got(t, v, p.Hash, vault.Small))
			}
			require.Equal(t, hashes, kept(t, opened(t, place.address, place.keys)), "another process sees the same")

			require.NoError(t, v.Delete(t.Context(), hashes[1]))
			require.NoError(t, v.Delete(t.Context(), hashes[1]), "again")
			for _, size := range []vault.Size{vault.Large, vault.Small} {
				_, _, err := v.Get(t.Context(), hashes[1], size)
				require.ErrorIs(t, err, vault.ErrNotFound)
			}
			require.NoError(t, v.Each(t.Context(), func(hash string, _ time.Time) error { return v.Delete(t.Context(), hash) }), "a sweep")
			require.Empty(t, kept(t, v))
		})
	}
}

func TestWhatIsNoHashReachesNoPlace(t *testing.T) {
	t.Parallel()
	for name, place := range places(t) {
		v := opened(t, place.address, place.keys)
		p := picture(t, 1)
		require.NoError(t, v.Put(t.Context(), p))
		for _, hash := range []string{"", "..", "../../etc/passwd", strings.ToUpper(p.Hash), p.Hash[:63], p.Hash + "0", strings.Repeat("../", 21) + "x", strings.Repeat("é", 32), p.Hash[:62] + "/."} {
			_, _, err := v.Get(t.Context(), hash, vault.Large)
			require.ErrorContains(t, err, "64 lower-case hexadecimal digits", "%s %q", name, hash)
			require.ErrorContains(t, v.Delete(t.Context(), hash), "64 lower-case hexadecimal digits")
		}
		_, _, err := v.Get(t.Context(), p.Hash, "../large")
		require.ErrorContains(t, err, "no size")
		wrong := *p
		wrong.Hash = strings.Repeat("../", 21) + "x"
		require.ErrorContains(t, v.Put(t.Context(), &wrong), "is not that of its bytes")
		require.Equal(t, []string{p.Hash}, kept(t, v))
	}
}

func TestHalfAPictureIsReportedSoThatASweepFindsIt(t *testing.T) {
	t.Parallel()
	server := buckettest.S3(t, "photos", id, secret)
	v := opened(t, "s3://photos/jail?endpoint="+server.URL, vault.Keys{S3ID: id, S3Secret: secret, Roots: server.Roots})
	p, other := picture(t, 1), picture(t, 2)
	require.NoError(t, v.Put(t.Context(), other))
	server.Put("jail/"+p.Hash[:2]+"/"+p.Hash+".small.jpg", p.Small) // the process ended before the large one
	for _, theirs := range []string{"jail/README", "jail/ab/notes.jpg", "jail/" + p.Hash + ".large.jpg", "jail/00/" + p.Hash + ".large.jpg", "jailer/" + p.Hash[:2] + "/" + p.Hash + ".large.jpg"} {
		server.Put(theirs, []byte("of another program"))
	}
	want := []string{p.Hash, other.Hash}
	slices.Sort(want)
	require.Equal(t, want, kept(t, v), "and nothing that another program stored")
	require.NoError(t, v.Delete(t.Context(), p.Hash))
	require.Equal(t, []string{other.Hash}, kept(t, v))
	require.Len(t, server.Names(), 2+5, "what another program stored stays")
}

func TestADirectoryIsClosedToOthersAndToLinks(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "photos")
	v := opened(t, dir, vault.Keys{})
	p := picture(t, 9)
	require.NoError(t, v.Put(t.Context(), p))
	require.NoError(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		require.NoError(t, err)
		info, err := d.Info()
		require.NoError(t, err)
		require.Zero(t, info.Mode().Perm()&0o077, path)
		return nil
	}))

	require.NoError(t, os.Chmod(dir, 0o755))
	_, err := vault.Open(t.Context(), dir, vault.Keys{})
	require.ErrorContains(t, err, "can be entered by others (mode 0755): chmod 700")

	outside := t.TempDir()
	require.NoError(t, os.RemoveAll(filepath.Join(dir, p.Hash[:2])))
	require.NoError(t, os.Symlink(outside, filepath.Join(dir, p.Hash[:2])))
	require.Error(t, v.Put(t.Context(), p), "a link leads out of the directory")
	left, err := os.ReadDir(outside)
	require.NoError(t, err)
	require.Empty(t, left)
	require.NoError(t, os.Remove(filepath.Join(dir, p.Hash[:2])))
	left, err = os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, left, "what failed leaves nothing")
}

func TestWhatAKilledProcessLeftIsDeleted(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "photos")
	v := opened(t, dir, vault.Keys{})
	for name, age := range map[string]time.Duration{".part-OLD": 2 * time.Hour, ".part-NEW": time.Minute} {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte("half"), 0o600))
		require.NoError(t, os.Chtimes(path, time.Time{}, time.Now().Add(-age)))
	}
	require.Empty(t, kept(t, v))
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, left, 1)
	require.Equal(t, ".part-NEW", left[0].Name(), "somebody may be writing it")
}

func TestManyMayPutOnePicture(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "photos")
	v, p := opened(t, dir, vault.Keys{}), picture(t, 77)
	require.NoError(t, v.Put(t.Context(), p))
	var all sync.WaitGroup
	errs := make(chan error, 200)
	for range 8 {
		all.Go(func() {
			for range 10 {
				errs <- v.Put(t.Context(), p)
				r, _, err := v.Get(t.Context(), p.Hash, vault.Large)
				if err == nil {
					var b []byte
					if b, err = io.ReadAll(r); err == nil && !bytes.Equal(b, p.Large) {
						err = errors.New("half a picture")
					}
					_ = r.Close()
				}
				errs <- err
			}
		})
	}
	all.Wait()
	close(errs)
	for err := range errs {
		require.NoError(t, err)
	}
	require.Equal(t, []string{p.Hash}, kept(t, v))
}

func TestAPlaceThatCannotBeOpenedSaysWhy(t *testing.T) {
	t.Parallel()
	s3, azure := buckettest.S3(t, "photos", id, secret), buckettest.Azure(t, "photos", sig)
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	key := vault.Keys{S3ID: id, S3Secret: secret, Roots: s3.Roots}
	sas := vault.Keys{AzureSAS: "sig=a%2Bb%2Fc%3D", Roots: azure.Roots}
	for _, c := range []struct {
		address string
		keys    vault.Keys
		want    string
	}{
		{"", key, "no place is named; use a directory, s3://BUCKET"},
		{file, key, "not a directory"},
		{"file://photos", key, "a directory is named by its whole path, as in file:///var/lib/photos, and not by file://photos"},
		{"ftp://photos", key, "ftp:// is not known; use a directory"},
		{"s3://%zz", key, "the address cannot be read"},
		{"s3://KEY:verysecret@photos", key, "keys do not belong in the address"},
		{"s3://", key, "s3:// needs the name of a bucket"},
		{"s3://photos", key, "a bucket of AWS needs its region, as in s3://BUCKET?region=us-east-1"},
		{"s3://photos?regoin=us-east-1", key, `the parameter "regoin" is not known; s3:// has region and endpoint`},
		{"s3://photos?endpoint=localhost", key, "an endpoint is the address of a server"},
		{"s3://photos?endpoint=" + s3.URL, vault.Keys{}, "the bucket needs an access key"},
		{"gs://photos", vault.Keys{}, "of Google: an HMAC key"},
		{"s3://photos?endpoint=" + s3.URL, vault.Keys{S3ID: id, S3Secret: "verysecret", Roots: s3.Roots}, "SignatureDoesNotMatch"},
		{"s3://photos?endpoint=" + s3.URL, vault.Keys{S3ID: id, S3Secret: "verysecret"}, "certificate"},
		{"s3://drawings?endpoint=" + s3.URL, key, "NoSuchBucket"},
		{"azblob://photos?endpoint=" + azure.URL, vault.Keys{}, "needs a shared access signature"},
		{"azblob://photos", sas, "an Azure container needs its account"},
		{"azblob://photos?endpoint=" + azure.URL, vault.Keys{AzureSAS: "sig=verysecret", Roots: azure.Roots}, "status 403 AuthenticationFailed"},
		{"azblob://photos?endpoint=" + azure.URL, vault.Keys{AzureSAS: "sig=verysecret", Roots: x509.NewCertPool()}, "certificate"},
		{"azblob://drawings?endpoint=" + azure.URL, sas, "status 404 ContainerNotFound"},
	} {
		_, err := vault.Open(t.Context(), c.address, c.keys)
		require.ErrorContains(t, err, "open the place of photographs: ", c.address)
		require.ErrorContains(t, err, c.want, c.address)
		require.NotContains(t, err.Error(), "verysecret", "an error never shows a key")
	}
}

func TestAContextEndsARequest(t *testing.T) {
	t.Parallel()
	for name, place := range places(t) {
		v, p := opened(t, place.address, place.keys), picture(t, 5)
		require.NoError(t, v.Put(t.Context(), p))
		ctx, stop := context.WithCancel(t.Context())
		stop()
		require.ErrorIs(t, v.Each(ctx, func(string, time.Time) error { return nil }), context.Canceled, name)
	}
}

// BenchmarkPut keeps pictures one after the other, each in its two sizes.
func BenchmarkPut(b *testing.B) {
	server := buckettest.S3(b, "photos", id, secret)
	for name, place := range map[string]struct {
		address string
		keys    vault.Keys
	}{
		"directory": {filepath.Join(b.TempDir(), "photos"), vault.Keys{}},
		"S3":        {"s3://photos?endpoint=" + server.URL, vault.Keys{S3ID: id, S3Secret: secret, Roots: server.Roots}},
	} {
		b.Run(name, func(b *testing.B) {
			v, err := vault.Open(b.Context(), place.address, place.keys)
			require.NoError(b, err)
			p := picture(b, 9)
			for b.Loop() {
				require.NoError(b, v.Put(b.Context(), p))
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "pictures/s")
		})
	}
}
