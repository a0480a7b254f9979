package raw

import (
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"

	"rollcall/internal/aead"
)

// Seal compresses and encrypts what only operators may read: raw documents and quarantined rows
// (zstd, then AES-256-GCM with a random nonce in front).
type Seal struct {
	ring *aead.Ring
	// macs are the keys of fingerprints, under the ids of their secret keys; the present one is first.
	macs []mac
	pack *zstd.Encoder
	open *zstd.Decoder
}

// maxUnsealed bounds what one encrypted chunk unpacks to.
const maxUnsealed = 64 << 20

// mac is the key of fingerprints under one secret key.
type mac struct {
	id  aead.KeyID
	key []byte
}

// NewSeal derives its keys from the service's secret keys, so that a secret itself encrypts nothing. The present one is
// first, and encrypts; all of them open.
func NewSeal(secrets ...[]byte) (*Seal, error) {
	archive, err := aead.NewRing("rollcall archive", secrets...)
	if err != nil {
		return nil, fmt.Errorf("make archive cipher: %w", err)
	}
	var macs []mac
	for _, secret := range secrets {
		id, err := aead.IDOf(secret)
		if err != nil {
			return nil, err
		}
		key, err := hkdf.Key(sha256.New, secret, nil, "rollcall quarantine", sha256.Size)
		if err != nil {
			return nil, fmt.Errorf("derive quarantine key: %w", err)
		}
		macs = append(macs, mac{id, key})
	}
	pack, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, fmt.Errorf("make archive packer: %w", err)
	}
	open, err := zstd.NewReader(nil, zstd.WithDecoderMaxMemory(maxUnsealed), zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, fmt.Errorf("make archive unpacker: %w", err)
	}
	return &Seal{ring: archive, macs: macs, pack: pack, open: open}, nil
}

// Close packs and encrypts plain bytes. about names what they belong to, and must be the same to open them.
func (s *Seal) Close(plain []byte, about string) []byte {
	return s.ring.Seal(s.pack.EncodeAll(plain, nil), []byte(about))
}

// Open returns the plain bytes of what Close encrypted.
func (s *Seal) Open(sealed []byte, about string) ([]byte, error) {
	packed, err := s.ring.Open(sealed, []byte(about))
	if err != nil {
		return nil, fmt.Errorf("decrypt archived bytes: %w", err)
	}
	plain, err := s.open.DecodeAll(packed, nil)
	if err != nil {
		return nil, fmt.Errorf("unpack archived bytes: %w", err)
	}
	return plain, nil
}

// Key returns the id of the present secret key.
func (s *Seal) Key() aead.KeyID { return s.macs[0].id }

// Fingerprint returns the id of the present secret key, and a keyed hash of texts under it (HMAC-SHA-256). Without the key
// nothing about them can be found out by it.
func (s *Seal) Fingerprint(texts ...string) []byte {
	m := s.macs[0]
	return append(m.id[:], m.sum(texts)...)
}

// Matches reports whether a fingerprint is that of the texts, under the secret key that it names. One from before there
// were ids is the hash alone, under any of the keys.
func (s *Seal) Matches(fingerprint []byte, texts ...string) bool {
	for _, m := range s.macs {
		if hmac.Equal(fingerprint, append(m.id[:], m.sum(texts)...)) || hmac.Equal(fingerprint, m.sum(texts)) {
			return true
		}
	}
	return false
}

// sum is the keyed hash of texts.
func (m mac) sum(texts []string) []byte {
	h := hmac.New(sha256.New, m.key)
	for _, t := range texts {
		_, _ = fmt.Fprintf(h, "%d:%s", len(t), t) // a hash takes every write
	}
	return h.Sum(nil)
}

// Chunks reads r in pieces of size and passes each to yield.
func Chunks(r io.Reader, size int, yield func(seq int, b []byte) error) error {
	b := make([]byte, size)
	for seq := 0; ; seq++ {
		n, err := io.ReadFull(r, b)
		if n > 0 {
			if err := yield(seq, b[:n]); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
