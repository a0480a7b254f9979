package coding

import (
	"bytes"
	"compress/gzip"
)

// Zipped returns a whole body in gzip, for what is compressed once and sent often.
func Zipped(body []byte) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	_, _ = z.Write(body) // a buffer takes everything
	_ = z.Close()
	return out.Bytes()
}
