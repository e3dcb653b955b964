// Package catalog makes up orders and keeps them in a search tree.
package catalog

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"strings"
)

// Line is one article in an order.
type Line struct {
	Article  string  `json:"article"`
	Quantity int     `json:"quantity"`
	Price    float64 `json:"price"`
}

// Order is what a customer sends in.
type Order struct {
	ID       int               `json:"id"`
	Customer string            `json:"customer"`
	Lines    []Line            `json:"lines"`
	Notes    map[string]string `json:"notes"`
}

// Total is small enough that the compiler inlines it into its callers.
func (o *Order) Total() float64 {
	total := 0.0
	for i := range o.Lines {
		total += lineTotal(&o.Lines[i])
	}
	return total
}

func lineTotal(l *Line) float64 { return float64(l.Quantity) * withTax(l.Price) }

func withTax(price float64) float64 { return price * 1.19 }

// Generate makes count orders, always the same ones for one seed.
func Generate(seed uint64, count int) []Order {
	random := rand.New(rand.NewPCG(seed, 17))
	orders := make([]Order, count)
	for i := range orders {
		orders[i] = generateOne(random, i)
	}
	return orders
}

func generateOne(random *rand.Rand, id int) Order {
	lines := make([]Line, 2+random.IntN(9))
	for i := range lines {
		lines[i] = Line{
			Article:  articleName(random),
			Quantity: 1 + random.IntN(20),
			Price:    float64(random.IntN(9000)) / 100,
		}
	}
	return Order{
		ID:       id,
		Customer: fmt.Sprintf("customer-%05d", random.IntN(40000)),
		Lines:    lines,
		Notes:    map[string]string{"gift": "no", "carrier": articleName(random)},
	}
}

func articleName(random *rand.Rand) string {
	var name strings.Builder
	for range 3 + random.IntN(4) {
		name.WriteString(syllables[random.IntN(len(syllables))])
	}
	return name.String()
}

var syllables = [...]string{"ba", "lu", "mor", "ti", "sen", "ka", "ro", "vel", "du", "fi"}

// Tree is a binary search tree: its walks give recursive stacks.
type Tree[K cmp.Ordered, V any] struct {
	key         K
	values      []V
	left, right *Tree[K, V]
}

// Insert returns the tree with value added under key.
func (t *Tree[K, V]) Insert(key K, value V) *Tree[K, V] {
	switch {
	case t == nil:
		return &Tree[K, V]{key: key, values: []V{value}}
	case key < t.key:
		t.left = t.left.Insert(key, value)
	case key > t.key:
		t.right = t.right.Insert(key, value)
	default:
		t.values = append(t.values, value)
	}
	return t
}

// Walk visits the keys in order.
func (t *Tree[K, V]) Walk(visit func(K, []V)) {
	if t == nil {
		return
	}
	t.left.Walk(visit)
	visit(t.key, t.values)
	t.right.Walk(visit)
}
