-- Weaves: recursion, a pair that calls each other, cost centres by hand, allocation.
module Main (main) where

import qualified Data.Map.Strict as Map
import System.Environment (getArgs)

fibonacci :: Int -> Integer
fibonacci n
  | n < 2 = toInteger n
  | otherwise = fibonacci (n - 1) + fibonacci (n - 2)

warp, weft :: Int -> Int
warp 0 = 0
warp n = {-# SCC over_thread #-} 1 + weft (n - 1)
weft 0 = 1
weft n = 2 + warp (n - 1)

weave :: Int -> Map.Map Int [Int]
weave threads = foldr (\n -> Map.insertWith (++) (n `mod` 97) [warp (n `mod` 50)]) Map.empty [1 .. threads]

measure :: Map.Map Int [Int] -> Int
measure cloth = sum (map sum (Map.elems cloth))

main :: IO ()
main = do
  [size] <- getArgs
  print (measure (weave (read size)))
  print (fibonacci 25)
