// Package archive turns orders into compressed JSON and back.
package archive

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"io"

	"orderdesk/catalog"
)

// Kept is the archive of one batch; batches are kept so that the heap profile
// shows live memory.
type Kept struct {
	Digest [sha256.Size]byte
	Data   []byte
}

// Pack encodes, hashes and compresses the orders.
func Pack(orders []catalog.Order) (Kept, error) {
	text, err := json.Marshal(orders)
	if err != nil {
		return Kept{}, err
	}
	var packed bytes.Buffer
	writer := gzip.NewWriter(&packed)
	if _, err := writer.Write(text); err != nil {
		return Kept{}, err
	}
	if err := writer.Close(); err != nil {
		return Kept{}, err
	}
	return Kept{Digest: sha256.Sum256(text), Data: packed.Bytes()}, nil
}

// Unpack is the reverse of Pack.
func Unpack(kept Kept) ([]catalog.Order, error) {
	reader, err := gzip.NewReader(bytes.NewReader(kept.Data))
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(reader)
	if err != nil {
		return nil, err
	}
	var orders []catalog.Order
	return orders, json.Unmarshal(text, &orders)
}
