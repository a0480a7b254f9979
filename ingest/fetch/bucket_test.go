package fetch_test

import (
	"bytes"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"encoding/xml"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"rollcall/ingest/fetch"
	"rollcall/internal/buckettest"
)

// dropped are the objects of the buckets in these tests, in the order of their names: the pages of the lists
// hold two each.
var dropped = [][2]string{
	{"jail/.half.csv", "half"},
	{"jail/2026/03/09/clarke.csv", "id\n1\n"},
	{"jail/2026/03/10/clarke.csv", "id\n2\n"},
	{"jail/notes.txt", "no"},
	{"jail/o'neil & sons+1 é.csv", "id\n3\n"},
	{"other/x.csv", "other"},
}

var listed = map[string]string{"jail/2026/03/09/clarke.csv": "id\n1\n", "jail/2026/03/10/clarke.csv": "id\n2\n", "jail/o'neil & sons+1 é.csv": "id\n3\n"}

const written = "2026-03-09T06:00:00Z"

// serve starts a server with a certificate of its own and gives its host and what trusts it.
func serve(t *testing.T, handler http.HandlerFunc) (host string, trust fetch.WebTrust) {
	t.Helper()
	server := httptest.NewTLSServer(handler)
	t.Cleanup(server.Close)
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	return server.Listener.Addr().String(), fetch.WebTrust{Roots: roots}
}

// pageOf gives two objects after a name, and the name that the next page goes on from.
func pageOf(prefix, after string) (page [][2]string, next string) {
	for _, o := range dropped {
		if !strings.HasPrefix(o[0], prefix) || o[0] <= after {
			continue
		}
		if len(page) == 2 {
			return page, page[1][0]
		}
		page = append(page, o)
	}
	return page, ""
}

// s3Server speaks the part of S3's protocol that lists and reads, and checks each signature.
func s3Server(t *testing.T, id, secret string) (string, fetch.WebTrust) {
	t.Helper()
	return serve(t, func(w http.ResponseWriter, r *http.Request) {
		if id != "" && !buckettest.Signed(r, id, secret) {
			w.WriteHeader(http.StatusForbidden)
			_, _ = w.Write([]byte(`<Error><Code>SignatureDoesNotMatch</Code><Message>no</Message></Error>`))
			return
		}
		key, ok := strings.CutPrefix(r.URL.Path, "/drops/")
		if query := r.URL.Query(); ok && query.Get("list-type") == "2" {
			page, next := pageOf(query.Get("prefix"), query.Get("continuation-token"))
			_, _ = fmt.Fprintf(w, `<ListBucketResult><Name>drops</Name><EncodingType>url</EncodingType><IsTruncated>%v</IsTruncated><NextContinuationToken>%s</NextContinuationToken>`, next != "", escaped(next))
			for _, o := range page {
				name := o[0]
				if query.Get("encoding-type") == "url" {
					name = url.QueryEscape(name)
				}
				_, _ = fmt.Fprintf(w, `<Contents><Key>%s</Key><LastModified>%s</LastModified><ETag>"%x"</ETag><Size>%d</Size></Contents>`, name, written, sha256.Sum256([]byte(o[1])), len(o[1]))
			}
			_, _ = w.Write([]byte(`</ListBucketResult>`))
			return
		}
		for _, o := range dropped {
			if o[0] == key {
				w.Header().Set("Last-Modified", "Mon, 09 Mar 2026 06:00:00 GMT")
				w.Header().Set("ETag", fmt.Sprintf("%q", hex.EncodeToString([]byte(o[0]))))
				_, _ = w.Write([]byte(o[1]))
				return
			}
		}
		w.WriteHeader(http.StatusNotFound)
		_, _ = w.Write([]byte(`<Error><Code>NoSuchKey</Code><Message>no</Message></Error>`))
	})
}

func TestFilesAreFetchedFromABucket(t *testing.T) {
	t.Parallel()
	host, trust := s3Server(t, "KEYID", "a secret key")
	s := &fetch.Spec{Kind: "s3", Server: host, Bucket: "drops", Folder: "jail/", Pattern: `\.csv$`}
	keys := fetch.Keys{S3: fetch.S3Key{ID: "KEYID", Secret: "a secret key"}, Web: trust}
	require.Equal(t, listed, lying(t, s, keys))

	drop, err := s.Drop(t.Context(), keys)
	require.NoError(t, err)
	files, err := drop.List(t.Context())
	require.NoError(t, err)
	require.Equal(t, "jail/2026/03/09/clarke.csv", files[0].Name)
	require.Equal(t, written, files[0].At.Format(time.RFC3339), "a name that tells no instant: it was written then")
	_, err = drop.Copy(t.Context(), files[0].Name, t.TempDir()+"/a", 3)
	require.ErrorIs(t, err, fetch.ErrIncomplete)
	_, err = drop.Copy(t.Context(), "jail/gone.csv", t.TempDir()+"/a", 3)
	require.ErrorContains(t, err, "no")
	drop.Close()

	keys.S3.Secret = "another secret key"
	drop, err = s.Drop(t.Context(), keys)
	require.NoError(t, err)
	_, err = drop.List(t.Context())
	require.ErrorContains(t, err, "list bucket drops")
	require.NotContains(t, err.Error(), "another secret key")

	open, trust := s3Server(t, "", "")
	s.Server = open
	require.Equal(t, listed, lying(t, s, fetch.Keys{Web: trust}), "a bucket that anybody may read needs no key")
	drop, err = s.Drop(t.Context(), fetch.Keys{})
	require.NoError(t, err)
	_, err = drop.List(t.Context())
	require.ErrorContains(t, err, "certificate", "a server with an unknown certificate is not trusted")
}

// escaped is a text as XML writes it.
func escaped(text string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(text))
	return b.String()
}

// azureServer speaks the part of the Blob service's protocol that lists and reads with a shared access signature.
func azureServer(t *testing.T, sig string) (string, fetch.WebTrust) {
	t.Helper()
	return serve(t, func(w http.ResponseWriter, r *http.Request) {
		query := r.URL.Query()
		if query.Get("sig") != sig || r.Header.Get("X-Ms-Version") == "" {
			w.Header().Set("X-Ms-Error-Code", "AuthenticationFailed")
			w.WriteHeader(http.StatusForbidden)
			return
		}
		if r.URL.Path == "/drops" && query.Get("comp") == "list" && query.Get("restype") == "container" {
			page, next := pageOf(query.Get("prefix"), query.Get("marker"))
			_, _ = w.Write([]byte("\xef\xbb\xbf<?xml version=\"1.0\" encoding=\"utf-8\"?><EnumerationResults><Blobs>"))
			for _, o := range page {
				_, _ = fmt.Fprintf(w, `<Blob><Name>%s</Name><Properties><Last-Modified>Mon, 09 Mar 2026 06:00:00 GMT</Last-Modified><Etag>0x%x</Etag><Content-Length>%d</Content-Length></Properties></Blob>`,
					escaped(o[0]), o[1], len(o[1]))
			}
			_, _ = fmt.Fprintf(w, `</Blobs><NextMarker>%s</NextMarker></EnumerationResults>`, escaped(next))
			return
		}
		for _, o := range dropped {
			if r.URL.Path == "/drops/"+o[0] {
				_, _ = w.Write([]byte(o[1]))
				return
			}
		}
		w.WriteHeader(http.StatusNotFound)
	})
}

func TestFilesAreFetchedFromAnAzureContainer(t *testing.T) {
	t.Parallel()
	host, trust := azureServer(t, "a+b/c=")
	s := &fetch.Spec{Kind: "azure", Server: host, Bucket: "drops", Folder: "jail/", Pattern: `\.csv$`}
	keys := fetch.Keys{AzureSAS: "?sv=2021-12-02&sp=rl&sr=c&sig=a%2Bb%2Fc%3D", Web: trust}
	require.Equal(t, listed, lying(t, s, keys))

	keys.AzureSAS = "sp=rl&sig=wrongsecret"
	drop, err := s.Drop(t.Context(), keys)
	require.NoError(t, err)
	_, err = drop.List(t.Context())
	require.EqualError(t, err, "list container: status 403 AuthenticationFailed")

	keys.Web = fetch.WebTrust{}
	drop, err = s.Drop(t.Context(), keys)
	require.NoError(t, err)
	_, err = drop.List(t.Context())
	require.ErrorContains(t, err, "certificate")
	require.NotContains(t, err.Error(), "wrongsecret", "an error never shows the signature")

	_, err = s.Drop(t.Context(), fetch.Keys{})
	require.ErrorContains(t, err, "ROLLCALL_AZURE_SAS")
}

func TestAListThatGoesRoundInACircleEnds(t *testing.T) {
	t.Parallel()
	host, trust := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`<EnumerationResults><Blobs/><NextMarker>again</NextMarker></EnumerationResults>`))
	})
	s := &fetch.Spec{Kind: "azure", Server: host, Bucket: "drops"}
	drop, err := s.Drop(t.Context(), fetch.Keys{AzureSAS: "sig=x", Web: trust})
	require.NoError(t, err)
	_, err = drop.List(t.Context())
	require.ErrorIs(t, err, fetch.ErrIncomplete)
}
