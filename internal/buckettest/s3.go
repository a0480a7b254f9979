package buckettest

import (
	"bytes"
	"crypto/md5" //nolint:gosec // S3 calls it ETag
	"crypto/sha256"
	"encoding/hex"
	"encoding/xml"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

// S3 serves one bucket by the protocol of S3. It checks the signature of each request, and the hash of what is put unless
// that is left to TLS.
func S3(tb testing.TB, bucket, id, secret string) *Server {
	tb.Helper()
	return serve(tb, func(s *Server, w http.ResponseWriter, r *http.Request) {
		content, err := io.ReadAll(r.Body)
		sum := sha256.Sum256(content)
		key, ok := strings.CutPrefix(r.URL.Path+"/", "/"+bucket+"/")
		key = strings.TrimSuffix(key, "/")
		if s.Google && r.Header.Get("Accept-Encoding") != "" {
			r.Header.Set("Accept-Encoding", r.Header.Get("Accept-Encoding")+",gzip(gfe)")
		}
		switch hash := r.Header.Get("X-Amz-Content-Sha256"); {
		case err != nil:
			fault(w, http.StatusBadRequest, "IncompleteBody")
		case !Signed(r, id, secret):
			fault(w, http.StatusForbidden, "SignatureDoesNotMatch")
		case !ok || s.Gone.Load():
			fault(w, http.StatusNotFound, "NoSuchBucket")
		case len(content) > 0 && hash != hex.EncodeToString(sum[:]) && hash != "UNSIGNED-PAYLOAD":
			fault(w, http.StatusBadRequest, "XAmzContentSHA256Mismatch")
		case key == "":
			s.s3Page(w, bucket, r.URL.Query())
		default:
			s.s3Object(w, r.Method, key, content)
		}
	})
}

// s3Object answers about one object.
func (s *Server) s3Object(w http.ResponseWriter, method, key string, content []byte) {
	switch method {
	case http.MethodPut:
		s.Put(key, content)
		w.Header().Set("ETag", etag(content))
	case http.MethodDelete:
		if !s.remove(key) && s.Google {
			fault(w, http.StatusNotFound, "NoSuchKey")
			return
		}
		w.WriteHeader(http.StatusNoContent)
	default:
		o, ok := s.get(key)
		if !ok {
			fault(w, http.StatusNotFound, "NoSuchKey")
			return
		}
		w.Header().Set("ETag", etag(o.content))
		w.Header().Set("Last-Modified", o.at.Format(http.TimeFormat))
		_, _ = w.Write(o.content)
	}
}

// s3Page is a page of the list. Names are escaped as the client asks.
func (s *Server) s3Page(w http.ResponseWriter, bucket string, query url.Values) {
	names, next := s.after(query.Get("prefix"), query.Get("continuation-token"))
	encoding, encoded := query.Get("encoding-type"), escaped
	if encoding == "url" {
		encoded = url.QueryEscape
	}
	//nolint:gosec // XML for a test's own client, with escaped names
	_, _ = fmt.Fprintf(w, `<ListBucketResult><Name>%s</Name><EncodingType>%s</EncodingType><IsTruncated>%v</IsTruncated><NextContinuationToken>%s</NextContinuationToken>`,
		bucket, encoding, next != "", escaped(next))
	for _, name := range names {
		o, _ := s.get(name)
		_, _ = fmt.Fprintf(w, `<Contents><Key>%s</Key><LastModified>%s</LastModified><ETag>%s</ETag><Size>%d</Size></Contents>`,
			encoded(name), o.at.Format(time.RFC3339), escaped(etag(o.content)), len(o.content))
	}
	_, _ = io.WriteString(w, `</ListBucketResult>`)
}

// fault is an error of S3.
func fault(w http.ResponseWriter, status int, code string) {
	w.WriteHeader(status)
	_, _ = fmt.Fprintf(w, `<Error><Code>%s</Code><Message>%s</Message></Error>`, code, code)
}

func etag(content []byte) string { return fmt.Sprintf(`"%x"`, md5.Sum(content)) } //nolint:gosec // S3 calls it so

// escaped is a text as XML writes it.
func escaped(text string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(text))
	return b.String()
}
